import { type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/** Adds the mark of certificates that a customer ordered to correct another one. */
export const correctedCertificates = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .alterTable("certificates")
      .addColumn("is_correction", type.flag, (c) => c.notNull().defaultTo(type.no))
      .execute();
  },
});
