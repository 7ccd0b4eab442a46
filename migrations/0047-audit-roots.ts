import { type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/** Adds what checkpoints state about the entries since the one before: the first of them, and the root of their hash tree. */
export const auditRoots = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    await db.schema.alterTable("audit_checkpoints").addColumn("first_sequence", "integer").execute();
    await db.schema.alterTable("audit_checkpoints").addColumn("root", columnTypes(dialect).bytes).execute();
  },
});
