import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** The names of REP-01, which were no column before. */
const CAPTIONS = {
  root: "Root",
  "issuing-sha2": "Issuing CA (SHA2)",
  "root-g3": "Root G3",
  "issuing-g3": "Issuing G3 (SHA512)",
};

/** Lets an issuing CA begin to issue, stop renewing and be revoked, so that others can follow it. */
export const lifeOfAuthorities = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .alterTable("authorities")
      .addColumn("caption", "varchar(64)", (c) => c.notNull().defaultTo(""))
      .execute();
    for (const moment of ["issues_from", "renewals_until", "revoked_at"])
      await db.schema.alterTable("authorities").addColumn(moment, type.moment).execute();
    for (const [name, caption] of Object.entries(CAPTIONS))
      await sql`update authorities set caption = ${caption} where name = ${name}`.execute(db);
    // The first issuing CA of a hierarchy issues whatever the clock says.
    await sql`update authorities set issues_from = ${new Date(0).toISOString()} where name in ('issuing-sha2', 'issuing-g3')`.execute(
      db,
    );
  },
});
