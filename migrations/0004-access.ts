import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Passwords that must be changed, wrong tries of a reset code, links that belong to an administrator and a user. */
export const access = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .alterTable("users")
      .addColumn("must_change_password", type.flag, (c) => c.notNull().defaultTo(type.no))
      .execute();
    await db.schema
      .alterTable("tokens")
      .addColumn("failures", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable("tokens")
      .addColumn("admin_id", "integer", (c) => c.references("users.id"))
      .execute();
    await db.schema.createIndex("tokens_user").on("tokens").columns(["user_id", "purpose"]).execute();
    await db.schema.createIndex("audit_user").on("audit_entries").column("user_id").execute();
  },
});
