import { sql, type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/** The notes of so many certificates are read at a time. */
const BATCH = 500;

/** Returns a tag in the form in which it is searched, for the letters of most European languages. */
const folded = (tag: string): string =>
  tag
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{Mn}\p{Cf}]/gu, "")
    .replaceAll("ß", "ss")
    .normalize("NFC");

async function copyTags(db: AnyDb): Promise<void> {
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; company: number; tags: string }>`
      select certificates.id, certificates.company_id as company, certificate_notes.tags from certificate_notes
      join certificates on certificates.id = certificate_notes.certificate_id
      where certificates.id > ${after} order by certificates.id limit ${BATCH}`.execute(db);
    for (const { id, company, tags } of rows) {
      for (const tag of new Set(JSON.parse(tags) as string[]))
        await sql`insert into certificate_tags (certificate_id, company_id, tag, folded)
          values (${id}, ${company}, ${tag}, ${folded(tag)})`.execute(db);
      after = id;
    }
    if (rows.length < BATCH) return;
  }
}

/** Adds the tags of certificates as rows of their own, by which the list of a company is filtered and searched. */
export const certificateTags = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("certificate_tags")
      .addColumn("certificate_id", "integer", (c) => c.notNull().references("certificates.id"))
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("tag", type.ordered, (c) => c.notNull())
      .addColumn("folded", type.ordered, (c) => c.notNull())
      .addPrimaryKeyConstraint("certificate_tags_key", ["certificate_id", "tag"])
      .execute();
    await db.schema
      .createIndex("certificate_tags_company")
      .on("certificate_tags")
      .columns(["company_id", "folded", "certificate_id"])
      .execute();
    await copyTags(db);
  },
});
