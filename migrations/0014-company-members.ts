import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** The drafts that belong to a company. All others belong to a person. */
const OF_COMPANY = ["certificate-purchase", "certificate-renewal", "code-purchase", "code-details"] as const;

/** Creates the invitations to companies, and gives drafts of orders and codes to the company for which they were begun. */
export const companyMembers = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("invitations")
      .addColumn("id", "integer", type.id)
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("email", "varchar(200)", (c) => c.notNull())
      .addColumn("role", "varchar(20)", (c) => c.notNull())
      .addColumn("token_hash", "varchar(64)", (c) => c.notNull().unique())
      .addColumn("invited_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .addColumn("ended_at", type.moment)
      .addColumn("accepted_by", "integer", (c) => c.references("users.id"))
      .execute();
    await db.schema.createIndex("invitations_company").on("invitations").column("company_id").execute();

    await db.schema
      .alterTable("drafts")
      .addColumn("company_id", "integer", (c) => c.references("companies.id"))
      .execute();
    await db.schema.alterTable("drafts").addColumn("handed_over_at", type.moment).execute();
    await db.schema.createIndex("drafts_company").on("drafts").column("company_id").execute();
    const company = sql`(select company_id from users where users.id = drafts.user_id)`;
    await sql`update drafts set company_id = ${company} where kind in (${sql.join(OF_COMPANY)})`.execute(db);
  },
});
