import { type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/** An owner's certificates in the order of their ids, the list's first order. */
export const ownersList = (): Migration => ({
  async up(db: AnyDb) {
    await db.schema.createIndex("certificates_owner").on("certificates").columns(["user_id", "id"]).execute();
  },
});
