import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";

/**
 * Returns the certificate if it exists and this user may see it, otherwise null. A certificate of somebody else looks like a missing one.
 */
export async function findVisibleCertificate(
  db: DbOrTrx,
  id: number,
  viewer: Pick<SessionUser, "id" | "rights">,
): Promise<CertificateRow | null> {
  const row = await findCertificate(db, id);
  return row && maySee(viewer, row) ? row : null;
}
