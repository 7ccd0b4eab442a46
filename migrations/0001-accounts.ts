import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the tables for countries, users, addresses, links and tokens, ended sessions, and where accounts were logged in. */
export const accounts = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("countries")
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("iso", "varchar(2)", (c) => c.notNull().unique())
      .addColumn("name", "varchar(120)", (c) => c.notNull())
      .addColumn("sort_name", type.ordered, (c) => c.notNull().defaultTo(""))
      .addColumn("eu_member", type.flag, (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("users")
      .addColumn("id", "integer", type.id)
      .addColumn("username", "varchar(200)", (c) => c.notNull().unique())
      .addColumn("email", "varchar(200)", (c) => c.notNull())
      .addColumn("password_hash", "varchar(200)", (c) => c.notNull())
      .addColumn("password_changed_at", type.moment, (c) => c.notNull())
      .addColumn("must_change_password", type.flag, (c) => c.notNull().defaultTo(type.no))
      .addColumn("first_name", "varchar(120)", (c) => c.notNull())
      .addColumn("last_name", "varchar(120)", (c) => c.notNull())
      .addColumn("company", "varchar(120)", (c) => c.notNull())
      .addColumn("position", "varchar(120)", (c) => c.notNull())
      .addColumn("telephone_number", "varchar(35)", (c) => c.notNull())
      .addColumn("vat_number", "varchar(18)")
      .addColumn("vat_number_checked", type.flag)
      .addColumn("tax_number", "varchar(35)")
      .addColumn("company_registration_number", "varchar(70)")
      .addColumn("security_question", "varchar(200)")
      .addColumn("security_answer_hash", "varchar(200)")
      .addColumn("is_applicant", type.flag, (c) => c.notNull())
      .addColumn("is_admin", type.flag, (c) => c.notNull())
      .addColumn("is_disabled", type.flag, (c) => c.notNull())
      .addColumn("merged_into", "integer", (c) => c.references("users.id"))
      .addColumn("session_epoch", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("failed_logins", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("last_failure_at", type.moment)
      .addColumn("lock_count", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("locked_until", type.moment)
      .addColumn("admin_locked_at", type.moment)
      .addColumn("last_login_at", type.moment)
      .addColumn("email_verified_at", type.moment)
      .addColumn("company_address_id", "integer")
      .addColumn("invoicing_address_id", "integer")
      .addColumn("mailing_address_id", "integer")
      .addColumn("search_text", "text", (c) => c.notNull().defaultTo(""))
      .addColumn("sort_name", type.ordered, (c) => c.notNull().defaultTo(""))
      .addColumn("sort_company", type.ordered, (c) => c.notNull().defaultTo(""))
      .addColumn("sort_username", type.ordered, (c) => c.notNull().defaultTo(""))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema.createIndex("users_email").on("users").column("email").execute();
    for (const column of ["sort_name", "sort_company"])
      await db.schema.createIndex(`users_${column}`).on("users").columns([column, "id"]).execute();

    await db.schema
      .createTable("addresses")
      .addColumn("id", "integer", type.id)
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("company", "varchar(120)")
      .addColumn("address_line1", "varchar(120)", (c) => c.notNull())
      .addColumn("address_line2", "varchar(120)", (c) => c.notNull().defaultTo(""))
      .addColumn("address_line3", "varchar(120)", (c) => c.notNull().defaultTo(""))
      .addColumn("city", "varchar(90)", (c) => c.notNull())
      .addColumn("postal_code", "varchar(10)", (c) => c.notNull())
      .addColumn("region", "varchar(70)", (c) => c.notNull().defaultTo(""))
      .addColumn("country", "integer", (c) => c.notNull().references("countries.id"))
      .execute();
    await db.schema.createIndex("addresses_user").on("addresses").column("user_id").execute();

    await db.schema
      .createTable("tokens")
      .addColumn("id", "integer", type.id)
      .addColumn("token_hash", "varchar(64)", (c) => c.notNull().unique())
      .addColumn("purpose", "varchar(30)", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.references("users.id"))
      .addColumn("admin_id", "integer", (c) => c.references("users.id"))
      .addColumn("certificate_id", "integer")
      .addColumn("order_id", "integer")
      .addColumn("session_id", "varchar(40)")
      .addColumn("email", "varchar(200)", (c) => c.notNull())
      .addColumn("failures", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .addColumn("used_at", type.moment)
      .execute();
    await db.schema.createIndex("tokens_expiry").on("tokens").column("expires_at").execute();
    await db.schema.createIndex("tokens_certificate").on("tokens").column("certificate_id").execute();
    await db.schema.createIndex("tokens_user").on("tokens").columns(["user_id", "purpose"]).execute();

    // Access tokens of the JSON calls and their single-use tickets for downloads, identified by their hash.
    await db.schema
      .createTable("api_tokens")
      .addColumn("token_hash", "varchar(64)", (c) => c.primaryKey())
      .addColumn("kind", "varchar(8)", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("epoch", "integer", (c) => c.notNull())
      .addColumn("impersonator_id", "integer", (c) => c.references("users.id"))
      .addColumn("impersonator_epoch", "integer")
      .addColumn("session_id", "varchar(40)")
      .addColumn("parent_hash", "varchar(64)")
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema.createIndex("api_tokens_end").on("api_tokens").column("expires_at").execute();
    await db.schema.createIndex("api_tokens_user").on("api_tokens").column("user_id").execute();
    await db.schema.createIndex("api_tokens_parent").on("api_tokens").column("parent_hash").execute();

    await db.schema
      .createTable("ended_sessions")
      .addColumn("id", "varchar(40)", (c) => c.primaryKey())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("login_places")
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("place", "varchar(80)", (c) => c.notNull())
      .addColumn("failures", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .addPrimaryKeyConstraint("login_places_pk", ["user_id", "place"])
      .execute();
    await db.schema.createIndex("login_places_end").on("login_places").column("expires_at").execute();
  },
});
