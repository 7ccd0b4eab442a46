import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Orders that programs sent with an Idempotency-Key, by the hash of the key. */
export const apiIdempotency = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("api_idempotency")
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("key_hash", "varchar(64)", (c) => c.notNull())
      .addColumn("fingerprint", "varchar(64)", (c) => c.notNull())
      .addColumn("order_id", "integer", (c) => c.references("orders.id"))
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .addPrimaryKeyConstraint("api_idempotency_key", ["user_id", "key_hash"])
      .execute();
    await db.schema.createIndex("api_idempotency_end").on("api_idempotency").column("expires_at").execute();
  },
});
