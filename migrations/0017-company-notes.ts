import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Only the company of a note can change, when its company becomes part of another one. */
const FIXED = "written_by, written_at, text";

/** Makes the database refuse every deletion of a note, and every change of what it says, who wrote it and when. */
async function fixNotes(db: AnyDb, dialect: Dialect): Promise<void> {
  const message = "company_notes are never changed";
  if (dialect === "postgres") {
    await sql
      .raw(
        `create function company_notes_refuse() returns trigger language plpgsql as
         $$ begin raise exception '${message}'; end $$`,
      )
      .execute(db);
    await sql
      .raw(
        `create trigger company_notes_immutable before update of ${FIXED} or delete on company_notes
         execute function company_notes_refuse()`,
      )
      .execute(db);
    return;
  }
  for (const change of [`update of ${FIXED}`, "delete"])
    await sql
      .raw(
        `create trigger company_notes_no_${change.split(" ")[0]} before ${change} on company_notes
         begin select raise(abort, '${message}'); end`,
      )
      .execute(db);
}

/** Creates the notes of staff about companies, and the column by which the list of companies is sorted and searched. */
export const companyNotes = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("company_notes")
      .addColumn("id", "integer", type.id)
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("written_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("written_at", type.moment, (c) => c.notNull())
      .addColumn("text", "varchar(2000)", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("company_notes_company").on("company_notes").columns(["company_id", "id"]).execute();
    await fixNotes(db, dialect);

    await db.schema
      .alterTable("companies")
      .addColumn("sort_name", type.ordered, (c) => c.notNull().defaultTo(""))
      .execute();
    // Accounts have the folded name of the company in which their person works. They are read once for all companies: the planner knows
    // nothing of rows that this transaction has written, and would read all accounts again for each company.
    await sql`update companies set sort_name = coalesce(folded.name, lower(companies.name))
      from (select companies.id, max(users.sort_company) as name
        from companies left join users on users.company_id = companies.id group by companies.id) as folded
      where folded.id = companies.id`.execute(db);
    await db.schema.createIndex("companies_sort_name").on("companies").columns(["sort_name", "id"]).execute();
  },
});
