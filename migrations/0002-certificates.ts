import { type Migration } from "kysely";
import { columnTypes, startIdsAt, type AnyDb, type Dialect } from "./column-types";

/** Drafts, orders, promotion codes, authorities, certificates, revocation lists, blocked keys. */
export const certificates = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("drafts")
      .addColumn("id", "varchar(40)", (c) => c.primaryKey())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("kind", "varchar(30)", (c) => c.notNull())
      .addColumn("data", "text", (c) => c.notNull())
      .addColumn("order_id", "integer")
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema.createIndex("drafts_user").on("drafts").columns(["user_id", "updated_at"]).execute();
    await db.schema.createIndex("drafts_expiry").on("drafts").column("expires_at").execute();

    await db.schema
      .createTable("orders")
      .addColumn("id", "integer", type.id)
      .addColumn("purchase_order_type", "integer", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("draft_id", "varchar(40)", (c) => c.unique())
      .addColumn("status", "varchar(12)", (c) => c.notNull())
      .addColumn("purchase_order_number", "varchar(50)", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .addColumn("price_cents", "bigint", (c) => c.notNull())
      .addColumn("discount_cents", "bigint", (c) => c.notNull())
      .addColumn("net_cents", "bigint", (c) => c.notNull())
      .addColumn("vat_rate", type.fraction, (c) => c.notNull())
      .addColumn("vat_cents", "bigint", (c) => c.notNull())
      .addColumn("total_cents", "bigint", (c) => c.notNull())
      .addColumn("promotion_code", "varchar(70)")
      .addColumn("vat_number", "varchar(18)")
      .addColumn("vat_number_checked", type.flag)
      .addColumn("invoice_address", "text", (c) => c.notNull())
      .addColumn("country_id", "integer", (c) => c.notNull().references("countries.id"))
      .addColumn("company", "varchar(120)", (c) => c.notNull())
      .addColumn("is_notified", type.flag)
      .addColumn("remarks", "varchar(500)")
      .addColumn("invoice_number", "varchar(70)")
      .addColumn("invoice_cents", "bigint")
      .addColumn("invoice_date", type.moment)
      .addColumn("payment_cents", "bigint")
      .addColumn("payment_date", type.moment)
      .addColumn("code_type", "varchar(20)")
      .addColumn("number_of_codes", "integer")
      .addColumn("is_maintenance", type.flag, (c) => c.notNull().defaultTo(type.no))
      .execute();
    await startIdsAt(db, dialect, "orders", 1001);
    await db.schema.createIndex("orders_user").on("orders").columns(["user_id", "created_at"]).execute();
    await db.schema.createIndex("orders_created").on("orders").column("created_at").execute();

    await db.schema
      .createTable("promotion_codes")
      .addColumn("code", "varchar(10)", (c) => c.primaryKey())
      .addColumn("value_cents", "bigint", (c) => c.notNull())
      .addColumn("months", "integer", (c) => c.notNull())
      .addColumn("valid_until", type.moment)
      .addColumn("used_by_order_id", "integer", (c) => c.references("orders.id"))
      .addColumn("used_at", type.moment)
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("authorities")
      .addColumn("id", "integer", type.id)
      .addColumn("name", "varchar(20)", (c) => c.notNull().unique())
      .addColumn("hierarchy", "varchar(8)", (c) => c.notNull())
      .addColumn("is_root", type.flag, (c) => c.notNull())
      .addColumn("certificate", type.bytes, (c) => c.notNull())
      .addColumn("subject_name", "varchar(400)", (c) => c.notNull())
      .addColumn("not_after", type.moment, (c) => c.notNull())
      .addColumn("crl_number", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("certificates")
      .addColumn("id", "integer", type.id)
      .addColumn("order_id", "integer", (c) => c.notNull().unique().references("orders.id"))
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("status", "varchar(15)", (c) => c.notNull())
      .addColumn("order_type", "varchar(10)", (c) => c.notNull())
      .addColumn("previous_certificate_id", "integer", (c) => c.references("certificates.id"))
      .addColumn("requested_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .addColumn("csr", type.bytes, (c) => c.notNull())
      .addColumn("csr_sha256", "varchar(64)", (c) => c.notNull())
      .addColumn("public_key_sha256", "varchar(64)", (c) => c.notNull())
      .addColumn("key_identity", "varchar(64)", (c) => c.notNull())
      .addColumn("common_name", "varchar(64)", (c) => c.notNull())
      .addColumn("organisation", "varchar(64)", (c) => c.notNull())
      .addColumn("organisation_unit", "varchar(200)")
      .addColumn("locality", "varchar(128)")
      .addColumn("state", "varchar(128)")
      .addColumn("country", "varchar(2)", (c) => c.notNull())
      .addColumn("email", "varchar(255)")
      .addColumn("subject_alternate_name", "text", (c) => c.notNull())
      .addColumn("ssid", "varchar(120)")
      .addColumn("is_manual_ssid", type.flag, (c) => c.notNull())
      .addColumn("has_secure_session", type.flag, (c) => c.notNull())
      .addColumn("has_email", type.flag, (c) => c.notNull())
      .addColumn("has_encryption", type.flag, (c) => c.notNull())
      .addColumn("has_file_signing", type.flag, (c) => c.notNull())
      .addColumn("validity_years", "integer", (c) => c.notNull())
      .addColumn("hierarchy", "varchar(8)", (c) => c.notNull())
      .addColumn("technical_contact", "text", (c) => c.notNull())
      .addColumn("authentication_contact", "text", (c) => c.notNull())
      .addColumn("authentication_email", "varchar(200)", (c) => c.notNull())
      .addColumn("sort_name", type.ordered, (c) => c.notNull())
      .addColumn("search_text", "text", (c) => c.notNull())
      .addColumn("owner_text", "text", (c) => c.notNull())
      .addColumn("contact_answer", "varchar(12)")
      .addColumn("contact_answered_at", type.moment)
      .addColumn("contact_answer_by", "varchar(200)")
      .addColumn("contact_note", "varchar(500)")
      .addColumn("organisation_checked_at", type.moment)
      .addColumn("organisation_checked_by", "varchar(200)")
      .addColumn("organisation_note", "varchar(500)")
      .addColumn("csr_checked_at", type.moment)
      .addColumn("csr_checked_by", "varchar(200)")
      .addColumn("csr_note", "varchar(500)")
      .addColumn("decided_at", type.moment)
      .addColumn("decided_by", "integer", (c) => c.references("users.id"))
      .addColumn("decision_reason", "varchar(500)")
      .addColumn("authority_id", "integer", (c) => c.references("authorities.id"))
      .addColumn("serial_number", "varchar(40)", (c) => c.unique())
      .addColumn("tbs_certificate", type.bytes)
      .addColumn("certificate_profile", "text")
      .addColumn("der", type.bytes)
      .addColumn("thumbprint", "varchar(40)")
      .addColumn("issued_at", type.moment)
      .addColumn("start_date", type.moment)
      .addColumn("expiry_date", type.moment)
      .addColumn("downloaded_at", type.moment)
      .addColumn("revocation_date", type.moment)
      .addColumn("invalidity_date", type.moment)
      .addColumn("revocation_reason", "integer")
      .addColumn("revocation_description", "varchar(230)")
      .addColumn("revoked_by", "integer", (c) => c.references("users.id"))
      .addColumn("revoked_certificate_der", type.bytes)
      .addColumn("first_crl_number", "integer")
      .execute();
    await startIdsAt(db, dialect, "certificates", 10001);
    await db.schema.createIndex("certificates_user").on("certificates").columns(["user_id", "status"]).execute();
    await db.schema.createIndex("certificates_status").on("certificates").columns(["status", "requested_at"]).execute();
    await db.schema.createIndex("certificates_expiry").on("certificates").column("expiry_date").execute();
    // The orders in which lists are mostly read: a customer's own, and everybody's.
    for (const column of ["requested_at", "expiry_date", "sort_name"]) {
      await db.schema
        .createIndex(`certificates_user_${column}`)
        .on("certificates")
        .columns(["user_id", column, "id"])
        .execute();
    }
    for (const column of ["requested_at", "sort_name"]) {
      await db.schema.createIndex(`certificates_${column}`).on("certificates").columns([column, "id"]).execute();
    }
    await db.schema.createIndex("certificates_key").on("certificates").column("key_identity").execute();
    await db.schema
      .createIndex("certificates_revoked")
      .on("certificates")
      .columns(["authority_id", "first_crl_number"])
      .where("revoked_certificate_der" as never, "is not", null)
      .execute();

    await db.schema
      .createTable("crls")
      .addColumn("id", "integer", type.id)
      .addColumn("authority_id", "integer", (c) => c.notNull().references("authorities.id"))
      .addColumn("is_delta", type.flag, (c) => c.notNull())
      .addColumn("number", "integer", (c) => c.notNull())
      .addColumn("base_number", "integer")
      .addColumn("this_update", type.moment, (c) => c.notNull())
      .addColumn("next_update", type.moment, (c) => c.notNull())
      .addColumn("der", type.bytes, (c) => c.notNull())
      .addColumn("entry_count", "integer", (c) => c.notNull())
      .addUniqueConstraint("crls_number", ["authority_id", "is_delta", "number"])
      .execute();
    await db.schema.createIndex("crls_latest").on("crls").columns(["authority_id", "is_delta", "number"]).execute();

    await db.schema
      .createTable("blocked_keys")
      .addColumn("key_identity", "varchar(64)", (c) => c.primaryKey())
      .addColumn("reason", "varchar(200)", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .execute();
  },
});
