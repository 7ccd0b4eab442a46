import { sql, type Migration } from "kysely";
import { type AnyDb, type Dialect } from "./column-types";

const WITH_GAPS = ["start_date", "expiry_date", "revocation_date"];

/**
 * Every order of the list of all certificates comes out of an index. Rows without a date come last both ways: SQLite reads one index for
 * both, PostgreSQL needs one for each. What staff search an owner by is in the account, which is up to date.
 */
export const certificateOrders = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const create = (name: string, ...columns: string[]) =>
      sql`create index ${sql.ref(`certificates_${name}`)} on certificates (${sql.raw(columns.join(", "))})`.execute(db);

    await db.schema.alterTable("certificates").dropColumn("owner_text").execute();
    await db.schema.dropIndex("certificates_expiry").execute();
    for (const column of ["status", "order_type", ...WITH_GAPS]) await create(`by_${column}`, column, "id");
    if (dialect === "sqlite") return;
    for (const column of WITH_GAPS) await create(`by_${column}_desc`, `${column} desc nulls last`, "id desc");
    await create("user_expiry_desc", "user_id", "expiry_date desc nulls last", "id desc");
  },
});
