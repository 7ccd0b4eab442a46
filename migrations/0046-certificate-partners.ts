import { type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/** Adds the partners of certificates: who they are, what was sent to them and what they answered, and when certificates were published. */
export const certificatePartners = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("certificate_partners")
      .addColumn("id", "integer", type.id)
      .addColumn("certificate_id", "integer", (c) => c.notNull().references("certificates.id"))
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("email", "varchar(200)")
      .addColumn("code_id", "integer", (c) => c.references("codes.id"))
      .addColumn("name", "varchar(100)", (c) => c.notNull())
      .addColumn("added_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("added_at", type.moment, (c) => c.notNull())
      .addColumn("sent_at", type.moment)
      .addColumn("opened_at", type.moment)
      .addColumn("answer", "varchar(20)")
      .addColumn("answered_at", type.moment)
      .addColumn("question", "varchar(2000)")
      .execute();
    await db.schema
      .createIndex("certificate_partners_email")
      .on("certificate_partners")
      .columns(["certificate_id", "email"])
      .unique()
      .execute();
    await db.schema
      .createIndex("certificate_partners_code")
      .on("certificate_partners")
      .columns(["certificate_id", "code_id"])
      .unique()
      .execute();
    await db.schema
      .createIndex("certificate_partners_company")
      .on("certificate_partners")
      .column("company_id")
      .execute();
    await db.schema
      .createTable("certificate_partner_links")
      .addColumn("link_hash", "varchar(64)", (c) => c.primaryKey())
      .addColumn("partner_id", "integer", (c) => c.notNull().references("certificate_partners.id").onDelete("cascade"))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("certificate_partner_links_partner")
      .on("certificate_partner_links")
      .column("partner_id")
      .execute();
    await db.schema
      .createTable("certificate_publications")
      .addColumn("certificate_id", "integer", (c) => c.primaryKey().references("certificates.id"))
      .addColumn("published_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("published_at", type.moment, (c) => c.notNull())
      .addColumn("cut_over_on", "varchar(10)")
      .execute();
  },
});
