import { sql, type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/** Messages that were sent keep no text: it holds codes and links. */
export const sentMails = (): Migration => ({
  async up(db: AnyDb) {
    await sql`update mails set text = '', html = '' where sent_at is not null`.execute(db);
  },
});
