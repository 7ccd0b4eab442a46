import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Access tokens of the JSON calls and their single-use tickets for downloads, by their hash. */
export const apiTokens = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("api_tokens")
      .addColumn("token_hash", "varchar(64)", (c) => c.primaryKey())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("epoch", "integer", (c) => c.notNull())
      .addColumn("impersonator_id", "integer", (c) => c.references("users.id"))
      .addColumn("impersonator_epoch", "integer")
      .addColumn("kind", "varchar(8)", (c) => c.notNull())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema.createIndex("api_tokens_end").on("api_tokens").column("expires_at").execute();
    await db.schema.createIndex("api_tokens_user").on("api_tokens").column("user_id").execute();
  },
});
