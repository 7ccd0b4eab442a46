import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the tables of the standing authorisations of companies and of the orders that were placed under them. */
export const standingAuthorisations = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("standing_authorisations")
      .addColumn("id", "integer", type.id)
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("based_on", "integer", (c) => c.notNull().references("certificates.id"))
      .addColumn("asked_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("asked_at", type.moment, (c) => c.notNull())
      .addColumn("organisation", "text", (c) => c.notNull())
      .addColumn("organisation_unit", "text")
      .addColumn("locality", "text")
      .addColumn("state", "text")
      .addColumn("country", "text", (c) => c.notNull())
      .addColumn("identity_checked_at", type.moment, (c) => c.notNull())
      .addColumn("domains", "text", (c) => c.notNull())
      .addColumn("oftp_ids", "text", (c) => c.notNull())
      .addColumn("usages", "text", (c) => c.notNull())
      .addColumn("longest_years", "integer", (c) => c.notNull())
      .addColumn("purchase_order_number", "varchar(50)", (c) => c.notNull())
      .addColumn("ceiling_certificates", "integer")
      .addColumn("ceiling_cents", "integer")
      .addColumn("ends_at", type.moment, (c) => c.notNull())
      .addColumn("contact_checked_by", "integer", (c) => c.references("users.id"))
      .addColumn("contact_checked_at", type.moment)
      .addColumn("contact_note", "text")
      .addColumn("approved_by", "integer", (c) => c.references("users.id"))
      .addColumn("approved_at", type.moment)
      .addColumn("ended_at", type.moment)
      .addColumn("ended_by", "varchar(8)")
      .addColumn("ended_why", "text")
      .addColumn("reminded_days", "integer")
      .execute();
    await db.schema
      .createIndex("standing_authorisations_company")
      .on("standing_authorisations")
      .columns(["company_id", "id"])
      .execute();
    await sql`create index standing_authorisations_ends on standing_authorisations (ends_at, id)
      where ended_at is null`.execute(db);
    await db.schema
      .createTable("standing_orders")
      .addColumn("certificate_id", "integer", (c) => c.primaryKey().references("certificates.id"))
      .addColumn("authorisation_id", "integer", (c) => c.notNull().references("standing_authorisations.id"))
      .addColumn("placed_at", type.moment, (c) => c.notNull())
      .addColumn("net_cents", "integer", (c) => c.notNull())
      .addColumn("why_outside", "text")
      .execute();
    await db.schema
      .createIndex("standing_orders_authorisation")
      .on("standing_orders")
      .columns(["authorisation_id", "certificate_id"])
      .execute();
  },
});
