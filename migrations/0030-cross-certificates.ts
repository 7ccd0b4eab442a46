import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the table of cross-certificates: certificates for the portal's CAs by other CAs. */
export const crossCertificates = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("cross_certificates")
      .addColumn("id", "integer", type.id)
      .addColumn("authority_id", "integer", (c) => c.notNull().references("authorities.id"))
      .addColumn("issuer_id", "integer", (c) => c.references("authorities.id"))
      .addColumn("issuer_certificate", type.bytes)
      .addColumn("issuer_name", "varchar(400)", (c) => c.notNull())
      .addColumn("certificate", type.bytes, (c) => c.notNull())
      .addColumn("serial_number", "varchar(40)", (c) => c.notNull())
      .addColumn("not_before", type.moment, (c) => c.notNull())
      .addColumn("not_after", type.moment, (c) => c.notNull())
      .addColumn("thumbprint", "varchar(64)", (c) => c.notNull().unique())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("revoked_at", type.moment)
      .execute();
  },
});
