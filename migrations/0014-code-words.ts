import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** What the code register is searched by: the words of each code's company and city; and a code's audit log by its order. */
export const codeWords = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    const table = db.schema
      .createTable("code_words")
      .addColumn("field", "varchar(7)", (c) => c.notNull())
      .addColumn("word", type.ordered, (c) => c.notNull())
      .addColumn("code_id", "integer", (c) => c.notNull().references("codes.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("code_words_word", ["field", "word", "code_id"]);
    await (dialect === "sqlite" ? table.modifyEnd(sql`without rowid`) : table).execute();
    await db.schema.createIndex("code_words_code").on("code_words").columns(["code_id", "field", "word"]).execute();
    // PostgreSQL reads the ids from the index alone, in its order; SQLite has them in every index.
    if (dialect === "postgres")
      await db.schema.createIndex("codes_code_id").on("codes").columns(["code", "subcode", "id"]).execute();
    await db.schema.createIndex("audit_order").on("audit_entries").columns(["order_id", "id"]).execute();
  },
});
