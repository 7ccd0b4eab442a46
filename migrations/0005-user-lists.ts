import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

const INDEXED = ["sort_name", "sort_company"] as const;

const fold = (text: string) => text.normalize("NFC").toLowerCase();

interface Named {
  id: number;
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  company: string;
}

/** Folded names of the accounts, by which administrators search and sort them. */
export const userLists = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .alterTable("users")
      .addColumn("search_text", "text", (c) => c.notNull().defaultTo(""))
      .execute();
    for (const column of INDEXED) {
      await db.schema
        .alterTable("users")
        .addColumn(column, type.ordered, (c) => c.notNull().defaultTo(""))
        .execute();
      await db.schema.createIndex(`users_${column}`).on("users").columns([column, "id"]).execute();
    }
    const { rows } = await sql<Named>`select id, username, email, first_name, last_name, company from users`.execute(
      db,
    );
    for (const { id, username, email, first_name: first, last_name: last, company } of rows) {
      const words = [...new Set([`${first} ${last}`, company, email, username].map(fold))];
      await sql`update users set search_text = ${words.join(" ")}, sort_name = ${fold(`${last} ${first}`)},
        sort_company = ${fold(company)} where id = ${id}`.execute(db);
    }
  },
});
