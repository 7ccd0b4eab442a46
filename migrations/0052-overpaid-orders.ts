import { type Migration, sql } from "kysely";
import { type AnyDb } from "./column-types";

/** Adds the index of the orders on which more was paid than they cost. They are few. */
export const overpaidOrders = (): Migration => ({
  async up(db: AnyDb) {
    await sql`create index orders_overpaid on orders (id) where payment_cents > total_cents`.execute(db);
  },
});
