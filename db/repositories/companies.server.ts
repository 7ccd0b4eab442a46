import { type DbOrTrx } from "../connection.server";
import { type NewRow } from "../tables";

/** Stores companies. Returns their ids in the same order. */
export async function insertCompanies(db: DbOrTrx, companies: readonly NewRow<"companies">[]): Promise<number[]> {
  const rows = await db.insertInto("companies").values(companies).returning("id").execute();
  return rows.map(({ id }) => id).sort((one, other) => one - other); // ids are assigned in the order of `companies`
}

export async function updateCompany(
  db: DbOrTrx,
  id: number,
  change: Partial<NewRow<"companies">>,
  now: Date,
): Promise<void> {
  await db
    .updateTable("companies")
    .set({ ...change, updatedAt: now })
    .where("id", "=", id)
    .execute();
}
