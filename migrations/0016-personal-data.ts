import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/**
 * Separates the personal data of audit entries from what their seals cover, so that it can be erased, and adds what the erasure of a person
 * needs. Entries from before keep the seal that they have (docs/decisions/0062-personal-data.md).
 */
export const personalData = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    for (const column of ["salt", "commitment", "erased_seal"])
      await db.schema.alterTable("audit_entries").addColumn(column, type.bytes).execute();
    await db.schema
      .createTable("audit_erasures")
      .addColumn("user_id", "integer", (c) => c.notNull())
      .addColumn("entry_id", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("audit_erasures_pk", ["user_id", "entry_id"])
      .execute();
    await db.schema.createIndex("audit_erasures_entry").on("audit_erasures").column("entry_id").execute();

    for (const column of ["erasure_requested_at", "erased_at"])
      await db.schema.alterTable("users").addColumn(column, type.moment).execute();
    await db.schema
      .createTable("erased_contacts")
      .addColumn("certificate_id", "integer", (c) => c.notNull().references("certificates.id"))
      .addColumn("contact", "varchar(20)", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addPrimaryKeyConstraint("erased_contacts_pk", ["certificate_id", "contact"])
      .execute();
    await db.schema.createIndex("erased_contacts_user").on("erased_contacts").column("user_id").execute();
  },
});
