import { sql, type Migration } from "kysely";
import { type AnyDb, type Dialect } from "./column-types";

/** Accounts in a rare state and with a rare right, each found by an index of these accounts only. */
const RARE_ACCOUNTS = {
  is_admin: "is_admin",
  is_disabled: "is_disabled",
  merged_into: "merged_into is not null",
  erased_at: "erased_at is not null",
  admin_locked_at: "admin_locked_at is not null",
  locked_until: "locked_until is not null",
};

/** The columns that lists search for parts of words. */
const SEARCHED = {
  certificates: ["search_text"],
  codes: ["search_text"],
  users: ["search_text"],
  companies: ["sort_name", "company_registration_number", "tax_number", "vat_number"],
};

/**
 * Creates an index of the trigrams of these columns. On SQLite it is a table of its own (FTS5), which triggers keep up to date. It reads the
 * texts from the table to which it belongs. With `secure-delete` it keeps nothing of a text that is erased, but a change takes ten times as
 * long. Certificates do without, because each approval changes their text, and what it contains is in the certificate for good.
 */
async function indexTrigramsOnSqlite(db: AnyDb, table: string, columns: readonly string[]): Promise<void> {
  const [index, list] = [`${table}_trigrams`, columns.join(", ")];
  const of = (row: string) => columns.map((column) => `${row}.${column}`).join(", ");
  const add = `insert into ${index} (rowid, ${list}) values (new.id, ${of("new")});`;
  const remove = `insert into ${index} (${index}, rowid, ${list}) values ('delete', old.id, ${of("old")});`;
  const isChanged = columns.map((column) => `old.${column} is not new.${column}`).join(" or ");
  // Search texts are folded. The numbers of a company are as they were typed.
  const isCaseSensitive = columns.length === 1 ? 1 : 0;
  for (const statement of [
    `create virtual table ${index} using fts5 (${list}, content = '${table}', content_rowid = 'id',
       tokenize = 'trigram case_sensitive ${isCaseSensitive}')`,
    `insert into ${index} (${index}, rank) values ('secure-delete', ${table === "certificates" ? 0 : 1})`,
    `insert into ${index} (${index}) values ('rebuild')`,
    `create trigger ${index}_insert after insert on ${table} begin ${add} end`,
    `create trigger ${index}_delete after delete on ${table} begin ${remove} end`,
    `create trigger ${index}_update after update of ${list} on ${table} when ${isChanged} begin ${remove} ${add} end`,
  ])
    await sql.raw(statement).execute(db);
}

/** Creates the same indexes on PostgreSQL, whose extension pg_trgm the owner of a database may create. */
async function indexTrigramsOnPostgres(db: AnyDb): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  for (const [table, columns] of Object.entries(SEARCHED)) {
    const texts = columns.map((column) => (column.endsWith("_number") ? `lower(${column})` : column));
    const indexed = texts.map((text) => `${text} gin_trgm_ops`).join(", ");
    await sql.raw(`create index ${table}_trigrams on ${table} using gin (${indexed})`).execute(db);
  }
}

/** Creates the indexes that the lists of codes, orders of codes and accounts need when there are very many rows. */
export const listIndexes = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const create = (name: string, table: string, columns: string, where = "") =>
      sql.raw(`create index ${name} on ${table} (${columns})${where && ` where ${where}`}`).execute(db);

    for (const column of ["code_type", "status"]) await create(`codes_${column}`, "codes", `${column}, code, subcode`);
    await create("codes_subcode", "codes", "subcode, code");
    await create("orders_purchase_order_type", "orders", "purchase_order_type, id");
    // Certificates in use are searched by the days until they expire.
    await create("certificates_status_expiry", "certificates", "status, expiry_date, id");

    // People are found by the beginning of a user name or email.
    await create("users_sort_username", "users", "sort_username, id");
    if (dialect === "postgres") await create("users_email_start", "users", `email collate "C", id`);
    await create("users_last_login", "users", "last_login_at, id");
    if (dialect === "postgres")
      await create("users_last_login_desc", "users", "last_login_at desc nulls last, id desc");
    for (const [column, where] of Object.entries(RARE_ACCOUNTS))
      await create(`users_rare_${column}`, "users", column, where);

    if (dialect === "postgres") return indexTrigramsOnPostgres(db);
    for (const [table, columns] of Object.entries(SEARCHED)) await indexTrigramsOnSqlite(db, table, columns);
  },
});
