import { sql, type Migration } from "kysely";
import { columnTypes, startIdsAt, type AnyDb, type Dialect } from "./column-types";

const WITH_GAPS = ["start_date", "expiry_date", "revocation_date"];

/**
 * Creates an index for every sort order of the certificate list pages, for those of a customer and for those of all customers. Rows without
 * a date come last in both directions: SQLite reads one index for both, PostgreSQL needs one for each.
 */
async function indexCertificates(db: AnyDb, dialect: Dialect): Promise<void> {
  const create = (name: string, ...columns: string[]) =>
    sql`create index ${sql.ref(`certificates_${name}`)} on certificates (${sql.raw(columns.join(", "))})`.execute(db);

  await create("user", "user_id", "status");
  await create("owner", "user_id", "id");
  for (const column of ["requested_at", "expiry_date", "sort_name"])
    await create(`user_${column}`, "user_id", column, "id");
  for (const column of ["requested_at", "sort_name"]) await create(column, column, "id");
  for (const column of ["status", "order_type", ...WITH_GAPS]) await create(`by_${column}`, column, "id");
  if (dialect === "postgres") {
    for (const column of WITH_GAPS) await create(`by_${column}_desc`, `${column} desc nulls last`, "id desc");
    await create("user_expiry_desc", "user_id", "expiry_date desc nulls last", "id desc");
  }
  await create("status", "status", "requested_at");
  await create("key", "key_identity");
  await db.schema
    .createIndex("certificates_revoked")
    .on("certificates")
    .columns(["authority_id", "first_crl_number", "expiry_date", "revoked_certificate_der"])
    .where("revoked_certificate_der" as never, "is not", null)
    .execute();
  await db.schema
    .createIndex("certificates_previous")
    .on("certificates")
    .columns(["previous_certificate_id", "id"])
    .where("previous_certificate_id" as never, "is not", null)
    .execute();
  // Each certificate has at most one pending renewal.
  await db.schema
    .createIndex("certificates_pending_renewal")
    .unique()
    .on("certificates")
    .column("previous_certificate_id")
    .where("order_type" as never, "=", "Renewal")
    .where("status" as never, "=", "Pending")
    .execute();
  await db.schema
    .createIndex("certificates_without_product")
    .on("certificates")
    .column("id")
    .where("modulus_product_id" as never, "is", null)
    .execute();
}

/** Creates the tables for certificates, from the request to the revocation, and for the keys that are refused. */
export const certificates = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

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
      .addColumn("reminded_days", "integer")
      .addColumn("revocation_date", type.moment)
      .addColumn("invalidity_date", type.moment)
      .addColumn("revocation_reason", "integer")
      .addColumn("revocation_description", "varchar(230)")
      .addColumn("revoked_by", "integer", (c) => c.references("users.id"))
      .addColumn("revoked_certificate_der", type.bytes)
      .addColumn("first_crl_number", "integer")
      .addColumn("modulus_product_id", "integer")
      .execute();
    await startIdsAt(db, dialect, "certificates", 10001);
    await indexCertificates(db, dialect);

    await db.schema
      .createTable("blocked_keys")
      .addColumn("key_identity", "varchar(64)", (c) => c.primaryKey())
      .addColumn("reason", "varchar(200)", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("key_lists")
      .addColumn("id", "integer", type.id)
      .addColumn("name", "varchar(200)", (c) => c.notNull().unique())
      .addColumn("key_count", "integer", (c) => c.notNull())
      .addColumn("has_debian_keys", type.flag, (c) => c.notNull().defaultTo(type.no))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .execute();

    const listedKeys = db.schema
      .createTable("listed_keys")
      .addColumn("fingerprint", type.bytes, (c) => c.primaryKey())
      .addColumn("list_id", "integer", (c) => c.notNull().references("key_lists.id"));
    // Without rowid, the SQLite table is its own index. It takes half the space, and a look-up takes one search instead of two.
    await (dialect === "sqlite" ? listedKeys.modifyEnd(sql`without rowid`) : listedKeys).execute();

    await db.schema
      .createTable("modulus_products")
      .addColumn("id", "integer", type.id)
      .addColumn("key_count", "integer", (c) => c.notNull())
      .addColumn("version", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("product", type.bytes, (c) => c.notNull())
      .execute();
    await db.schema.createIndex("modulus_products_version").unique().on("modulus_products").column("version").execute();

    await db.schema
      .createTable("key_comparisons")
      .addColumn("key_identity", "varchar(64)", (c) => c.primaryKey())
      .addColumn("product_version", "integer", (c) => c.notNull())
      .addColumn("compared_at", type.moment, (c) => c.notNull())
      .execute();
  },
});
