import { sql, type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/**
 * Adds the certificates that companies publish at their entities of the code register, who is told when they change, and an index that finds
 * the certificates of a company by their OFTP ID.
 */
export const entityCertificates = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("entity_certificates")
      .addColumn("id", "integer", type.id)
      .addColumn("code_id", "integer", (c) => c.notNull().references("codes.id"))
      .addColumn("certificate_id", "integer", (c) => c.notNull().references("certificates.id"))
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("published_by", "integer", (c) => c.references("users.id"))
      .addColumn("published_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("entity_certificates_code")
      .on("entity_certificates")
      .columns(["code_id", "certificate_id"])
      .unique()
      .execute();
    for (const column of ["certificate_id", "company_id"])
      await db.schema
        .createIndex(`entity_certificates_by_${column}`)
        .on("entity_certificates")
        .column(column)
        .execute();
    await db.schema
      .createTable("entity_followers")
      .addColumn("id", "integer", type.id)
      .addColumn("code_id", "integer", (c) => c.notNull().references("codes.id"))
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("followed_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("entity_followers_user")
      .on("entity_followers")
      .columns(["user_id", "code_id"])
      .unique()
      .execute();
    for (const column of ["code_id", "company_id"])
      await db.schema.createIndex(`entity_followers_by_${column}`).on("entity_followers").column(column).execute();
    await sql`create index certificates_oftp_id on certificates (company_id, upper(ssid)) where ssid is not null`.execute(
      db,
    );
  },
});
