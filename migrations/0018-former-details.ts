import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the tables of what accounts and companies are and were called. */
export const formerDetails = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    for (const [table, owner, owners] of [
      ["former_user_details", "user_id", "users.id"],
      ["former_company_details", "company_id", "companies.id"],
    ] as const)
      await db.schema
        .createTable(table)
        .addColumn(owner, "integer", (c) => c.notNull().references(owners))
        .addColumn("kind", "varchar(20)", (c) => c.notNull())
        .addColumn("text", "text", (c) => c.notNull())
        .addColumn("noted_at", type.moment, (c) => c.notNull())
        .addPrimaryKeyConstraint(`${table}_pk`, [owner, "kind", "text"])
        .execute();
  },
});
