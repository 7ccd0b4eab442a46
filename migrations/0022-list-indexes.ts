import { sql, type Migration } from "kysely";
import { type AnyDb, type Dialect } from "./column-types";

/** Accounts in a rare state and with a rare right, each found by an index of these accounts only. */
const RARE_ACCOUNTS = {
  is_admin: "is_admin",
  is_disabled: "is_disabled",
  merged_into: "merged_into is not null",
  erased_at: "erased_at is not null",
  admin_locked_at: "admin_locked_at is not null",
  locked_until: "locked_until is not null",
};

/** Creates the indexes that the lists of codes, orders of codes and accounts need when there are very many rows. */
export const listIndexes = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const create = (name: string, table: string, columns: string, where = "") =>
      sql.raw(`create index ${name} on ${table} (${columns})${where && ` where ${where}`}`).execute(db);

    for (const column of ["code_type", "status"]) await create(`codes_${column}`, "codes", `${column}, code, subcode`);
    await create("codes_subcode", "codes", "subcode, code");
    await create("orders_purchase_order_type", "orders", "purchase_order_type, id");
    // Certificates in use are searched by the days until they expire.
    await create("certificates_status_expiry", "certificates", "status, expiry_date, id");

    await create("users_last_login", "users", "last_login_at, id");
    if (dialect === "postgres")
      await create("users_last_login_desc", "users", "last_login_at desc nulls last, id desc");
    for (const [column, where] of Object.entries(RARE_ACCOUNTS))
      await create(`users_${column}`, "users", column, where);
  },
});
