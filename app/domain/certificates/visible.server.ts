import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { noteOthers } from "~/domain/security-events/hidden.server";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";

/**
 * Returns the certificate if it exists and this user may see it, otherwise null. A certificate of somebody else looks like a missing one;
 * asking for it is recorded as a security event.
 */
export async function findVisibleCertificate(
  db: DbOrTrx,
  id: number,
  viewer: SessionUser,
): Promise<CertificateRow | null> {
  const row = await findCertificate(db, id);
  if (!row || maySee(viewer, row)) return row;
  noteOthers(viewer);
  return null;
}
