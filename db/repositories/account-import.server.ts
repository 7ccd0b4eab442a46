import { sql } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow } from "../tables";

/** Returns the accounts whose user name or email is one of these logins. There are two queries because each column has its own index. */
export async function listByLogins(db: DbOrTrx, logins: readonly string[]) {
  const names = db.selectFrom("users").select(["id", "username", "email"]);
  return [
    ...(await names.where("username", "in", logins).execute()),
    ...(await names.where("email", "in", logins).execute()),
  ];
}

/** Returns the ids of the stored addresses by owner. Each owner has one address in `rows`. */
async function insertAddresses(trx: Trx, rows: readonly NewRow<"addresses">[]): Promise<Map<number, number>> {
  const stored = await trx.insertInto("addresses").values(rows).returning(["id", "userId"]).execute();
  return new Map(stored.map(({ id, userId }) => [userId, id]));
}

export interface AddressPair {
  userId: number;
  company: NewRow<"addresses">;
  invoicing: NewRow<"addresses">;
}

/** Stores the company and invoicing addresses of accounts that have none yet. */
export async function insertAddressPairs(trx: Trx, pairs: readonly AddressPair[]): Promise<void> {
  if (pairs.length === 0) return;
  const companies = await insertAddresses(
    trx,
    pairs.map(({ company }) => company),
  );
  const invoicings = await insertAddresses(
    trx,
    pairs.map(({ invoicing }) => invoicing),
  );
  const id = (of: Map<number, number>, userId: number) => sql.lit(of.get(userId) ?? null);
  const rows = pairs.map(
    ({ userId }) => sql`(${sql.lit(userId)}, ${id(companies, userId)}, ${id(invoicings, userId)})`,
  );
  await sql`with placed (id, company, invoicing) as (values ${sql.join(rows)})
    update companies set company_address_id = placed.company, invoicing_address_id = placed.invoicing
    from placed join users on users.id = placed.id where companies.id = users.company_id`.execute(trx);
}
