import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/**
 * Where an account was logged in before, so that a lock because of wrong passwords from elsewhere does not stop its owner there; when the
 * last wrong password came; and locks by an administrator, which hold everywhere.
 */
export const loginPlaces = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("login_places")
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("place", "varchar(80)", (c) => c.notNull())
      .addColumn("failures", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .addPrimaryKeyConstraint("login_places_pk", ["user_id", "place"])
      .execute();
    await db.schema.createIndex("login_places_end").on("login_places").column("expires_at").execute();
    await db.schema.alterTable("users").addColumn("last_failure_at", type.moment).execute();
    await db.schema.alterTable("users").addColumn("admin_locked_at", type.moment).execute();
  },
});
