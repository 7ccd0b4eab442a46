import { sql, type Migration } from "kysely";
import { type AnyDb, type Dialect } from "./column-types";

/** The tables whose rows belong to a company. Their column `user_id` says who made the row. */
const OWNED = ["orders", "certificates", "codes", "available_codes"] as const;

/** The indexes that found the rows of an account, and those that find the rows of a company instead. */
async function indexOwners(db: AnyDb, dialect: Dialect): Promise<void> {
  const replaced: [table: string, before: string, after: string, columns: string][] = [
    ["orders", "orders_user", "orders_company", "created_at"],
    ["codes", "codes_user", "codes_company", "id"],
    ["available_codes", "available_codes_user", "available_codes_company", "code_type, order_id"],
    ["certificates", "certificates_user", "certificates_company", "status"],
    ["certificates", "certificates_owner", "certificates_company_id", "id"],
    ["certificates", "certificates_user_requested_at", "certificates_company_requested_at", "requested_at, id"],
    ["certificates", "certificates_user_expiry_date", "certificates_company_expiry_date", "expiry_date, id"],
    ["certificates", "certificates_user_sort_name", "certificates_company_sort_name", "sort_name, id"],
  ];
  if (dialect === "postgres")
    replaced.push([
      "certificates",
      "certificates_user_expiry_desc",
      "certificates_company_expiry_desc",
      "expiry_date desc nulls last, id desc",
    ]);
  for (const [table, before, after, columns] of replaced) {
    await sql`drop index ${sql.ref(before)}`.execute(db);
    await sql`create index ${sql.ref(after)} on ${sql.table(table)} (company_id, ${sql.raw(columns)})`.execute(db);
  }
  // A merge of accounts finds what they have made.
  for (const table of ["certificates", "codes", "available_codes"])
    await db.schema.createIndex(`${table}_by_user`).on(table).column("user_id").execute();
}

/** Charges the yearly maintenance to companies instead of accounts. */
async function chargeCompanies(db: AnyDb): Promise<void> {
  await sql`create table former_maintenance as select year, users.company_id, order_id
    from maintenance_orders join users on users.id = maintenance_orders.user_id`.execute(db);
  await db.schema.dropTable("maintenance_orders").execute();
  await db.schema
    .createTable("maintenance_orders")
    .addColumn("year", "integer", (c) => c.notNull())
    .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
    .addColumn("order_id", "integer", (c) => c.notNull().unique().references("orders.id"))
    .addPrimaryKeyConstraint("maintenance_orders_year", ["year", "company_id"])
    .execute();
  await sql`insert into maintenance_orders (year, company_id, order_id)
    select year, company_id, order_id from former_maintenance`.execute(db);
  await db.schema.dropTable("former_maintenance").execute();
}

/** Gives what accounts own to their companies. */
export const companyOwnership = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    for (const table of OWNED) {
      await db.schema
        .alterTable(table)
        .addColumn("company_id", "integer", (c) => c.references("companies.id"))
        .execute();
      const company = sql`(select company_id from users where users.id = ${sql.ref(`${table}.user_id`)})`;
      await sql`update ${sql.table(table)} set company_id = ${company}`.execute(db);
    }
    await indexOwners(db, dialect);
    await chargeCompanies(db);
  },
});
