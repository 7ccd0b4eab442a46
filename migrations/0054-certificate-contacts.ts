import { sql, type Migration } from "kysely";
import { type AnyDb, type Dialect } from "./column-types";

/** The contacts of so many certificates are read at a time. */
const BATCH = 500;

/** Letters that Unicode does not decompose, by what people type instead. */
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

/** Invisible characters and accents. */
const ACCENTS = /\p{Cf}|(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/** Returns a text in the form in which it was searched when this migration was made. */
const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(/[^\p{ASCII}]/gu, (letter) => PLAIN.get(letter) ?? letter)
    .normalize("NFC");

/** Stores the texts of all certificates but those whose contact has been erased and is kept as evidence. */
async function fill(db: AnyDb): Promise<void> {
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; contact: string; erased: number | null }>`
      select certificates.id, authentication_contact as contact, erased_contacts.certificate_id as erased from certificates
      left join erased_contacts on erased_contacts.certificate_id = certificates.id and erased_contacts.contact = 'authentication'
      where certificates.id > ${after} order by certificates.id limit ${BATCH}`.execute(db);
    const values = rows
      .filter(({ erased }) => erased === null)
      .map(({ id, contact }) => {
        const { name = "", email = "" } = JSON.parse(contact) as { name?: string; email?: string };
        return sql`(cast(${id} as integer), cast(${folded(`${name} ${email}`)} as text))`;
      });
    if (values.length > 0)
      await sql`with given (id, contact_text) as (values ${sql.join(values)})
        update certificates set contact_search_text = given.contact_text from given
        where certificates.id = given.id`.execute(db);
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/**
 * Creates the index of trigrams on SQLite, which is a table of its own that reads the texts from `certificates`. Triggers keep it up to date.
 * It keeps nothing of a text that is erased.
 */
async function indexOnSqlite(db: AnyDb): Promise<void> {
  const index = "certificate_contacts_trigrams";
  const column = "contact_search_text";
  const add = `insert into ${index} (rowid, ${column}) values (new.id, new.${column});`;
  const remove = `insert into ${index} (${index}, rowid, ${column}) values ('delete', old.id, old.${column});`;
  for (const statement of [
    `create virtual table ${index} using fts5 (${column}, content = 'certificates', content_rowid = 'id',
       tokenize = 'trigram case_sensitive 1')`,
    `insert into ${index} (${index}, rank) values ('secure-delete', 1)`,
    `insert into ${index} (${index}) values ('rebuild')`,
    `create trigger ${index}_insert after insert on certificates begin ${add} end`,
    `create trigger ${index}_delete after delete on certificates begin ${remove} end`,
    `create trigger ${index}_update after update of ${column} on certificates when old.${column} is not new.${column}
       begin ${remove} ${add} end`,
  ])
    await sql.raw(statement).execute(db);
}

/** Adds the text by which certificates are found by their authentication contact, with an index of its trigrams. */
export const certificateContacts = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    await db.schema
      .alterTable("certificates")
      .addColumn("contact_search_text", "text", (c) => c.notNull().defaultTo(""))
      .execute();
    await fill(db);
    if (dialect === "sqlite") await indexOnSqlite(db);
    else
      await sql`create index certificate_contacts_trigrams on certificates using gin (contact_search_text gin_trgm_ops)`.execute(
        db,
      );
  },
});
