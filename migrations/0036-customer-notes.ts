import { type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/** What the customer of a sales order was last told about codes, reason and money: one sentence a line. */
export const customerNotes = (): Migration => ({
  async up(db: AnyDb) {
    await db.schema.alterTable("orders").addColumn("customer_note", "text").execute();
  },
});
