import { type SessionUser } from "~/domain/accounts/session-user";
import { noteOthers } from "~/domain/security-events/hidden.server";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate, findVisibleCertificate } from "~db/repositories/certificates.server";

/** Returns a certificate that the user may see, or null. Asking for one of another account is recorded as a security event. */
export async function findCertificateFor(user: SessionUser, id: number): Promise<CertificateRow | null> {
  const row = await findVisibleCertificate(getDb(), id, user);
  if (!row && (await findCertificate(getDb(), id))) noteOthers(user);
  return row;
}
