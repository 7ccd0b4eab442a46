import { type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/**
 * Orders of one status, type or country in the order of time. What is open is new and what is paid is old: an index of the time alone
 * would be read from its wrong end.
 */
export const salesOrderDates = (): Migration => ({
  async up(db: AnyDb) {
    for (const column of ["status", "order_type", "country_id"])
      await db.schema.createIndex(`orders_${column}_at`).on("orders").columns([column, "created_at", "id"]).execute();
  },
});
