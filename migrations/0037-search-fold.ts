import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Rows that are held in memory. */
const BATCH = 1000;
const TYPED_AS = {
  ae: "æ",
  b: "ɓ",
  d: "đðɖɗ",
  e: "əǝɛ",
  f: "ƒ",
  g: "ǥɣ",
  h: "ħ",
  i: "ı",
  k: "ƙ",
  l: "ł",
  n: "ŋɲ",
  o: "øɔ",
  oe: "œ",
  q: "ĸ",
  ss: "ß",
  t: "ŧ",
  th: "þ",
  v: "ʋ",
  y: "ƴ",
  z: "ƶ",
  σ: "ς",
  "'": "‘’‚‛ʹʻʼ′",
  '"': "“”„‟″«»",
  "-": "‐‒–—―−",
};

const PLAIN = new Map(Object.entries(TYPED_AS).flatMap(([plain, letters]) => [...letters].map((one) => [one, plain])));

const ACCENTS = /\p{Cf}|(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text);

/** As the portal compares texts from now on. What was folded before is folded further, to what its original would become. */
const fold = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(/[^\p{ASCII}]/gu, (letter) => PLAIN.get(letter) ?? letter)
    .normalize("NFC");

function wordsOf(text: string): string[] {
  const folded = fold(text).trim();
  return folded === "" ? [] : [...new Set(folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [folded])];
}

type Row = { id: number } & Record<string, string>;

/** Batches of the rows of which one of these columns has other characters than ASCII: the fold of all others is what it was. */
async function* changing(db: AnyDb, table: string, columns: readonly string[]): AsyncGenerator<Row[]> {
  for (let after = 0, isLast = false; !isLast;) {
    const { rows } = await sql<Row>`select id, ${sql.join(columns.map((name) => sql.ref(name)))}
      from ${sql.table(table)} where id > ${after} order by id limit ${BATCH}`.execute(db);
    yield rows.filter((row) => columns.some((name) => !isAscii(row[name] ?? "")));
    isLast = rows.length < BATCH;
    after = rows.at(-1)?.id ?? 0;
  }
}

/** Sets columns of a row to the fold of what others hold, or of what they hold themselves. */
async function refold(db: AnyDb, table: string, row: Row, columns: Readonly<Record<string, string>>): Promise<void> {
  const set = Object.entries(columns).map(([to, from]) => sql`${sql.ref(to)} = ${fold(row[from] ?? "")}`);
  await sql`update ${sql.table(table)} set ${sql.join(set)} where id = ${row.id}`.execute(db);
}

const themselves = (...columns: string[]) => Object.fromEntries(columns.map((name) => [name, name]));

/** What is rewritten of each table: the columns, and those that they are made of. What was folded before is folded further. */
const FOLDED: Record<string, Record<string, string>> = {
  certificates: themselves("sort_name", "search_text"),
  users: themselves("sort_name", "sort_company", "sort_username", "search_text"),
  codes: themselves("sort_company", "sort_email", "sort_entity", "sort_city", "search_text"),
  orders: themselves("sort_company", "sort_user"),
  countries: themselves("sort_name"),
  audit_entries: { search_text: "message" },
};

/** Stores the words of these codes' companies and cities anew. */
async function replaceCodeWords(db: AnyDb, rows: readonly Row[]): Promise<void> {
  for (const { id, sort_company: company = "", sort_city: city = "" } of rows) {
    await sql`delete from code_words where code_id = ${id}`.execute(db);
    const words = Object.entries({ company, city }).flatMap(([field, text]) =>
      wordsOf(text).map((word) => sql`(${field}, ${word}, ${id})`),
    );
    if (words.length > 0)
      await sql`insert into code_words (field, word, code_id) values ${sql.join(words)}`.execute(db);
  }
}

/** Stores the words of these orders' companies anew. */
async function replaceOrderWords(db: AnyDb, rows: readonly Row[]): Promise<void> {
  for (const { id, sort_company: company = "" } of rows) {
    await sql`delete from order_words where order_id = ${id}`.execute(db);
    const words = wordsOf(company).map((word) => sql`(${word}, ${id})`);
    if (words.length > 0) await sql`insert into order_words (word, order_id) values ${sql.join(words)}`.execute(db);
  }
}

/**
 * What lists search and sort by is folded to what people type: letters without accents and strokes. User names, countries and audit entries
 * get such a text for the first time.
 */
export const searchFold = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const { ordered } = columnTypes(dialect);
    for (const [table, column] of [
      ["users", "sort_username"],
      ["countries", "sort_name"],
    ] as const)
      await db.schema
        .alterTable(table)
        .addColumn(column, ordered, (c) => c.notNull().defaultTo(""))
        .execute();
    await db.schema.alterTable("audit_entries").addColumn("search_text", "text").execute();
    await sql`update users set sort_username = lower(username)`.execute(db);
    await sql`update countries set sort_name = lower(name)`.execute(db);
    for (const [table, columns] of Object.entries(FOLDED))
      for await (const rows of changing(db, table, Object.values(columns))) {
        for (const row of rows) await refold(db, table, row, columns);
        if (table === "codes") await replaceCodeWords(db, rows);
        if (table === "orders") await replaceOrderWords(db, rows);
      }
    await sql`update orders set sort_country =
      (select countries.sort_name from countries where countries.id = orders.country_id)`.execute(db);
  },
});
