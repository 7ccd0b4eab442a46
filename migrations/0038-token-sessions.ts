import { type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/** The session in which a token was made, for tokens that end with it. */
export const tokenSessions = (): Migration => ({
  async up(db: AnyDb) {
    await db.schema.alterTable("tokens").addColumn("session_id", "varchar(40)").execute();
  },
});
