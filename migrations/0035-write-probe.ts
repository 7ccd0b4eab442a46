import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** The row that is written to see whether anything can be stored. */
export const writeProbe = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    await db.schema
      .createTable("write_probes")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("written_at", columnTypes(dialect).moment, (column) => column.notNull())
      .execute();
  },
});
