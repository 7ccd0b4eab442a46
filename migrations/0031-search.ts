import { createHash } from "node:crypto";
import { sql, type Migration } from "kysely";
import { type AnyDb, type Dialect } from "./column-types";

/** SQLite has no SHA-256. So many certificates are read at a time. */
const BATCH = 500;

async function addThumbprintsOnSqlite(db: AnyDb): Promise<void> {
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; der: Buffer }>`select id, der from certificates
      where id > ${after} and der is not null order by id limit ${BATCH}`.execute(db);
    for (const { id, der } of rows) {
      const sha256 = createHash("sha256").update(der).digest("hex").toUpperCase();
      await sql`update certificates set thumbprint_sha256 = ${sha256} where id = ${id}`.execute(db);
      after = id;
    }
    if (rows.length < BATCH) return;
  }
}

/** Stores the SHA-256 of each certificate beside its SHA-1, and creates the indexes by which the search finds fingerprints. */
export const search = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    await db.schema.alterTable("certificates").addColumn("thumbprint_sha256", "varchar(64)").execute();
    if (dialect === "sqlite") await addThumbprintsOnSqlite(db);
    else
      await sql`update certificates set thumbprint_sha256 = upper(encode(sha256(der), 'hex'))
        where der is not null`.execute(db);
    for (const column of ["thumbprint", "thumbprint_sha256", "public_key_sha256"])
      await db.schema.createIndex(`certificates_${column}`).on("certificates").column(column).execute();
  },
});
