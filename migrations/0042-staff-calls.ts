import { type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect, makeImmutable } from "./column-types";

/** The columns that programs filter by, besides the time of the last change. Each list is read in the order of that time. */
const FILTERED_BY = {
  certificates: ["status", "company_id"],
  codes: ["status", "company_id"],
  orders: ["status", "company_id"],
  users: [],
} as const;

/** Adds the evidence for checks of orders, and the indexes by which programs read what has changed since a time. */
export const staffCalls = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("check_evidence")
      .addColumn("id", "integer", type.id)
      .addColumn("certificate_id", "integer", (c) => c.notNull().references("certificates.id"))
      .addColumn("check_name", "varchar(20)", (c) => c.notNull())
      .addColumn("text", "varchar(2000)", (c) => c.notNull())
      .addColumn("reference", "varchar(500)", (c) => c.notNull())
      .addColumn("added_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("api_client_id", "integer", (c) => c.references("api_clients.id"))
      .addColumn("added_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("check_evidence_certificate")
      .on("check_evidence")
      .columns(["certificate_id", "id"])
      .execute();
    await makeImmutable(db, dialect, "check_evidence");

    for (const [table, columns] of Object.entries(FILTERED_BY)) {
      await db.schema.createIndex(`${table}_updated`).on(table).columns(["updated_at", "id"]).execute();
      for (const column of columns)
        await db.schema
          .createIndex(`${table}_${column}_updated`)
          .on(table)
          .columns([column, "updated_at", "id"])
          .execute();
    }
  },
});
