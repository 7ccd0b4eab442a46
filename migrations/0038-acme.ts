import { sql, type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/** Creates the tables of ACME (RFC 8555): keys that bind accounts to standing authorisations, accounts, nonces, orders and authorizations. */
export const acme = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("acme_keys")
      .addColumn("id", "integer", type.id)
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("authorisation_id", "integer", (c) => c.notNull().references("standing_authorisations.id"))
      .addColumn("key_id", "varchar(40)", (c) => c.notNull().unique())
      .addColumn("secret", "text", (c) => c.notNull())
      .addColumn("description", "varchar(100)", (c) => c.notNull())
      .addColumn("made_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("made_at", type.moment, (c) => c.notNull())
      .addColumn("bound_at", type.moment)
      .addColumn("used_at", type.moment)
      .addColumn("revoked_at", type.moment)
      .execute();
    await db.schema
      .createIndex("acme_keys_authorisation")
      .on("acme_keys")
      .columns(["authorisation_id", "id"])
      .execute();
    await db.schema
      .createTable("acme_accounts")
      .addColumn("id", "integer", type.id)
      .addColumn("acme_key_id", "integer", (c) => c.notNull().unique().references("acme_keys.id"))
      .addColumn("thumbprint", "varchar(43)", (c) => c.notNull().unique())
      .addColumn("jwk", "text", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("deactivated_at", type.moment)
      .execute();
    await db.schema
      .createTable("acme_nonces")
      .addColumn("nonce", "varchar(32)", (c) => c.primaryKey())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema.createIndex("acme_nonces_expires").on("acme_nonces").column("expires_at").execute();
    await db.schema
      .createTable("acme_orders")
      .addColumn("id", "integer", type.id)
      .addColumn("account_id", "integer", (c) => c.notNull().references("acme_accounts.id"))
      .addColumn("names", "text", (c) => c.notNull())
      .addColumn("replaces", "integer", (c) => c.references("certificates.id"))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .addColumn("order_id", "integer", (c) => c.unique().references("orders.id"))
      .execute();
    await db.schema.createIndex("acme_orders_account").on("acme_orders").columns(["account_id", "id"]).execute();
    await db.schema.createIndex("acme_orders_replaces").on("acme_orders").column("replaces").execute();
    await sql`create index acme_orders_open on acme_orders (expires_at) where order_id is null`.execute(db);
    await db.schema
      .createTable("acme_authorizations")
      .addColumn("id", "integer", type.id)
      .addColumn("acme_order_id", "integer", (c) => c.notNull().references("acme_orders.id").onDelete("cascade"))
      .addColumn("name", "varchar(253)", (c) => c.notNull())
      .addColumn("is_wildcard", type.flag, (c) => c.notNull())
      .addColumn("http_token", "varchar(43)", (c) => c.notNull())
      .addColumn("dns_token", "varchar(43)", (c) => c.notNull())
      .addColumn("proved_by", "varchar(8)")
      .addColumn("validated_at", type.moment)
      .addColumn("tried_at", type.moment)
      .addColumn("tried_by", "varchar(8)")
      .addColumn("problem", "text")
      .addColumn("deactivated_at", type.moment)
      .execute();
    await db.schema
      .createIndex("acme_authorizations_order")
      .on("acme_authorizations")
      .columns(["acme_order_id", "id"])
      .execute();
  },
});
