import { listRevokedIds } from "~/domain/authorities/authorities.service.server";
import { getDb, type DbOrTrx } from "~db/connection.server";
import { listSuccessors, type Successor } from "~db/repositories/renewals.server";

/** Returns the certificates with what decides about their renewal: the successors of each, and whether its issuer is revoked. */
export async function withSuccessors<Row extends { id: number; authorityId: number | null }>(
  rows: readonly Row[],
  db: DbOrTrx = getDb(),
): Promise<(Row & { successors: Successor[]; isIssuerRevoked: boolean })[]> {
  const ids = rows.map(({ id }) => id);
  const [all, revoked] = [await listSuccessors(db, ids), await listRevokedIds(db)];
  return rows.map((row) => ({
    ...row,
    isIssuerRevoked: revoked.has(row.authorityId ?? 0),
    successors: all.filter(({ previousCertificateId }) => previousCertificateId === row.id),
  }));
}
