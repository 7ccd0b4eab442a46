import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Lists' bytes leave their rows, which keep size and validator; an index holds what a list is made of. */
export const revocationLists = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("crl_files")
      .addColumn("crl_id", "integer", (c) => c.primaryKey().references("crls.id").onDelete("cascade"))
      .addColumn("der", type.bytes, (c) => c.notNull())
      .execute();
    await sql`insert into crl_files (crl_id, der) select id, der from crls`.execute(db);
    for (const [column, kind, value] of [
      ["size", "integer", 0],
      ["etag", "varchar(64)", ""],
    ] as const) {
      await db.schema
        .alterTable("crls")
        .addColumn(column, kind, (c) => c.notNull().defaultTo(value))
        .execute();
    }
    const end = dialect === "postgres" ? sql`encode(right_end, 'hex')` : sql`lower(hex(right_end))`;
    await sql`update crls set size = length(der), etag = (select ${end} from (select substr(der, length(der) - 31) as right_end) as ending)`.execute(
      db,
    );
    await db.schema.alterTable("crls").dropColumn("der").execute();

    await db.schema.dropIndex("certificates_revoked").execute();
    await db.schema
      .createIndex("certificates_revoked")
      .on("certificates")
      .columns(["authority_id", "first_crl_number", "expiry_date", "revoked_certificate_der"])
      .where("revoked_certificate_der" as never, "is not", null)
      .execute();
  },
});
