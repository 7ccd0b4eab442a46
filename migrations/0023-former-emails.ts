import { type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/** Creates the index by which the accounts that had an email address are found. */
export const formerEmails: Migration = {
  async up(db: AnyDb) {
    await db.schema
      .createIndex("former_user_details_text")
      .on("former_user_details")
      .columns(["kind", "text"])
      .execute();
  },
};
