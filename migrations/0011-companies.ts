import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** The columns of an account that become columns of its company, with their names there. */
const MOVED = {
  company: "name",
  company_registration_number: "company_registration_number",
  tax_number: "tax_number",
  vat_number: "vat_number",
  vat_number_checked: "vat_number_checked",
  company_address_id: "company_address_id",
  invoicing_address_id: "invoicing_address_id",
  mailing_address_id: "mailing_address_id",
} as const;

/**
 * New companies have numbers from 10,000 on, or behind those of the accounts if there are more, so that nobody takes the number of an
 * account for that of a company.
 */
async function startIdsBehind(db: AnyDb, dialect: Dialect): Promise<void> {
  const last = sql`select max(id) from (select id from companies union all select 9999) as numbers`;
  if (dialect === "postgres") {
    await sql`select setval(pg_get_serial_sequence('companies', 'id'), (${last}))`.execute(db);
    return;
  }
  await sql`delete from sqlite_sequence where name = 'companies'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) select 'companies', (${last})`.execute(db);
}

/** Creates the tables of companies and of their members, and moves the company of each account there. Every account owns its company. */
export const companies = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("companies")
      .addColumn("id", "integer", type.id)
      .addColumn("name", "varchar(120)", (c) => c.notNull())
      .addColumn("company_registration_number", "varchar(70)")
      .addColumn("tax_number", "varchar(35)")
      .addColumn("vat_number", "varchar(18)")
      .addColumn("vat_number_checked", type.flag)
      .addColumn("company_address_id", "integer")
      .addColumn("invoicing_address_id", "integer")
      .addColumn("mailing_address_id", "integer")
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("memberships")
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("role", "varchar(20)", (c) => c.notNull())
      .addColumn("joined_at", type.moment, (c) => c.notNull())
      .addPrimaryKeyConstraint("memberships_pk", ["company_id", "user_id"])
      .execute();
    await db.schema.createIndex("memberships_user").on("memberships").column("user_id").execute();

    await db.schema
      .alterTable("users")
      .addColumn("company_id", "integer", (c) => c.references("companies.id"))
      .execute();
    await db.schema.createIndex("users_company").on("users").column("company_id").execute();

    // The company of an account gets the account's number, so that nothing has to be matched.
    const [names, columns] = [Object.values(MOVED), Object.keys(MOVED)].map((list) => sql.raw(list.join(", ")));
    await sql`insert into companies (id, ${names}, created_at, updated_at)
      select id, ${columns}, created_at, updated_at from users`.execute(db);
    await startIdsBehind(db, dialect);
    await sql`insert into memberships (company_id, user_id, role, joined_at)
      select id, id, 'owner', created_at from users`.execute(db);
    await sql`update users set company_id = id`.execute(db);
    for (const column of Object.keys(MOVED)) await db.schema.alterTable("users").dropColumn(column).execute();
  },
});
