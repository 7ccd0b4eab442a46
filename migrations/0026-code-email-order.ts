import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** As the portal compares texts; SQLite's lower() knows only ASCII. */
const fold = (text: string) => text.normalize("NFC").toLowerCase();

/** What the list of codes is sorted by in its column Email: the owner's, folded. */
export const codeEmailOrder = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const { ordered } = columnTypes(dialect);
    await db.schema
      .alterTable("codes")
      .addColumn("sort_email", ordered, (c) => c.notNull().defaultTo(""))
      .execute();
    const { rows } = await sql<{ id: number; email: string }>`select id, email from users
      where exists (select 1 from codes where codes.user_id = users.id)`.execute(db);
    for (const { id, email } of rows)
      await sql`update codes set sort_email = ${fold(email)} where user_id = ${id}`.execute(db);
    await db.schema.createIndex("codes_sort_email").on("codes").columns(["sort_email", "id"]).execute();
  },
});
