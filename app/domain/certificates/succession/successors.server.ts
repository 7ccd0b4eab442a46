import { getDb, type DbOrTrx } from "~db/connection.server";
import { listSuccessors, type Successor } from "~db/repositories/renewals.server";

/** Returns the certificates with the successors of each. */
export async function withSuccessors<Row extends { id: number }>(
  rows: readonly Row[],
  db: DbOrTrx = getDb(),
): Promise<(Row & { successors: Successor[] })[]> {
  const all = await listSuccessors(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...row,
    successors: all.filter(({ previousCertificateId }) => previousCertificateId === row.id),
  }));
}
