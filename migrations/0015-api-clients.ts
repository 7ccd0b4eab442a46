import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates API clients with their secrets and access tokens, and names them in audit entries and in requests for a second person. */
export const apiClients = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("api_clients")
      .addColumn("id", "integer", type.id)
      .addColumn("client_id", "varchar(30)", (c) => c.notNull().unique())
      .addColumn("name", "varchar(60)", (c) => c.notNull())
      .addColumn("company_id", "integer", (c) => c.references("companies.id"))
      .addColumn("responsible_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("scopes", "varchar(300)", (c) => c.notNull())
      .addColumn("networks", "varchar(1500)", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("ends_at", type.moment, (c) => c.notNull())
      .addColumn("revoked_at", type.moment)
      .addColumn("last_used_at", type.moment)
      .addColumn("last_used_address", "varchar(60)", (c) => c.notNull().defaultTo(""))
      .execute();
    await db.schema.createIndex("api_clients_company").on("api_clients").column("company_id").execute();

    await db.schema
      .createTable("api_client_secrets")
      .addColumn("id", "integer", type.id)
      .addColumn("api_client_id", "integer", (c) => c.notNull().references("api_clients.id"))
      .addColumn("secret_hash", "varchar(64)", (c) => c.notNull().unique())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("created_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("ends_at", type.moment)
      .addColumn("last_used_at", type.moment)
      .execute();
    await db.schema.createIndex("api_client_secrets_client").on("api_client_secrets").column("api_client_id").execute();

    await db.schema
      .createTable("api_client_tokens")
      .addColumn("token_hash", "varchar(64)", (c) => c.primaryKey())
      .addColumn("secret_id", "integer", (c) => c.notNull().references("api_client_secrets.id"))
      .addColumn("scopes", "varchar(300)", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema.createIndex("api_client_tokens_expiry").on("api_client_tokens").column("expires_at").execute();

    await db.schema.alterTable("audit_entries").addColumn("api_client_id", "integer").execute();
    await db.schema
      .createIndex("audit_api_client_id_at")
      .on("audit_entries")
      .columns(["api_client_id", "at", "id"])
      .execute();

    await db.schema
      .alterTable("dual_control_requests")
      .addColumn("api_client_id", "integer", (c) => c.references("api_clients.id"))
      .execute();
    await db.schema.alterTable("dual_control_requests").addColumn("scopes", "varchar(300)").execute();
  },
});
