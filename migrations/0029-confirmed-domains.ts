import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the table of the domains and mailboxes that companies confirm, each with its challenge. */
export const confirmedDomains = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("company_domains")
      .addColumn("id", "integer", type.id)
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("name", "varchar(320)", (c) => c.notNull())
      .addColumn("created_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("token", "varchar(64)", (c) => c.notNull())
      .addColumn("challenge_ends_at", type.moment, (c) => c.notNull())
      .addColumn("mailed_to", "varchar(320)")
      .addColumn("mail_token_hash", "varchar(64)")
      .addColumn("confirmed_at", type.moment)
      .addColumn("method", "varchar(8)")
      .addColumn("confirmed_token", "varchar(64)")
      .addColumn("valid_until", type.moment)
      .addColumn("reminded_days", "integer")
      .addColumn("rechecked_at", type.moment)
      .addColumn("failed_nights", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("checked_at", type.moment)
      .addColumn("problem", "text")
      .addColumn("ended_at", type.moment)
      .addColumn("ended_why", "text")
      .execute();
    await db.schema
      .createIndex("company_domains_company")
      .on("company_domains")
      .columns(["company_id", "id"])
      .execute();
    await sql`create unique index company_domains_confirmed on company_domains (name)
      where confirmed_at is not null and ended_at is null`.execute(db);
    await sql`create index company_domains_ends on company_domains (valid_until, id)
      where confirmed_at is not null and ended_at is null`.execute(db);
    await sql`create unique index company_domains_mail on company_domains (mail_token_hash)
      where mail_token_hash is not null`.execute(db);
  },
});
