import { type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/** What a token for calls as another user ends with: the administrator's own token, and the session in which it was allowed. */
export const actingTokens = (): Migration => ({
  async up(db: AnyDb) {
    await db.schema.alterTable("api_tokens").addColumn("session_id", "varchar(40)").execute();
    await db.schema.alterTable("api_tokens").addColumn("parent_hash", "varchar(64)").execute();
    await db.schema.createIndex("api_tokens_parent").on("api_tokens").column("parent_hash").execute();
  },
});
