import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Promotion codes as administrators manage them, and reminders before the expiry. */
export const staff = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("promotion_batches")
      .addColumn("id", "varchar(40)", (c) => c.primaryKey())
      .addColumn("count", "integer", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema
      .alterTable("promotion_codes")
      .addColumn("batch_id", "varchar(40)", (c) => c.references("promotion_batches.id"))
      .execute();
    await db.schema.alterTable("promotion_codes").addColumn("withdrawn_at", type.moment).execute();
    for (const column of ["batch_id", "created_at", "valid_until"])
      await db.schema
        .createIndex(`promotion_codes_${column}`)
        .on("promotion_codes")
        .columns([column, "code"])
        .execute();

    await db.schema.alterTable("certificates").addColumn("reminded_days", "integer").execute();
  },
});
