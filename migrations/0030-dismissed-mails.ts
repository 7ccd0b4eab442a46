import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** When staff gave up a message that the mail server had refused for good. */
export const dismissedMails = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    await db.schema.alterTable("mails").addColumn("dismissed_at", columnTypes(dialect).moment).execute();
  },
});
