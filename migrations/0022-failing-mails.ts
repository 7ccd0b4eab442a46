import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** When a message was tried last, since when it fails, and when the mail server refused it for good. */
export const failingMails = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const { moment } = columnTypes(dialect);
    for (const column of ["tried_at", "failing_since", "rejected_at"])
      await db.schema.alterTable("mails").addColumn(column, moment).execute();
    await sql`update mails set failing_since = created_at where sent_at is null and last_error is not null`.execute(db);
  },
});
