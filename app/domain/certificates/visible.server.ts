import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { noteOthers } from "~/domain/security-events/hidden.server";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { listMembershipsAmong } from "~db/repositories/companies.server";

/**
 * Returns the certificate if it exists and this user may see it, otherwise null. A certificate of somebody else looks like a missing one;
 * asking for it is recorded as a security event, unless it belongs to another company of the viewer.
 */
export async function findVisibleCertificate(
  db: DbOrTrx,
  id: number,
  viewer: SessionUser,
): Promise<CertificateRow | null> {
  const row = await findCertificate(db, id);
  if (!row || maySee(viewer, row)) return row;
  if ((await listMembershipsAmong(db, viewer.id, [row.companyId])).size === 0) noteOthers(viewer);
  return null;
}
