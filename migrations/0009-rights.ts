import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the rights of staff, and the requests that a second user administrator decides. */
export const rights = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("user_rights")
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("right", "varchar(30)", (c) => c.notNull())
      .addColumn("granted_at", type.moment, (c) => c.notNull())
      .addColumn("granted_by", "varchar(200)", (c) => c.notNull())
      .addPrimaryKeyConstraint("user_rights_pk", ["user_id", "right"])
      .execute();

    await db.schema
      .createTable("dual_control_requests")
      .addColumn("id", "integer", type.id)
      .addColumn("kind", "varchar(30)", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("right", "varchar(30)")
      .addColumn("reason", "varchar(500)", (c) => c.notNull())
      .addColumn("requested_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("requested_at", type.moment, (c) => c.notNull())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .addColumn("decided_by", "integer", (c) => c.references("users.id"))
      .addColumn("decided_at", type.moment)
      .addColumn("outcome", "varchar(20)")
      .execute();
    await db.schema
      .createIndex("dual_control_open")
      .on("dual_control_requests")
      .columns(["user_id", "outcome"])
      .execute();
  },
});
