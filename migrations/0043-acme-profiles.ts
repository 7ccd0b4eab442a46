import { type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/** Adds the profile of ACME orders. Null is the profile with all usages. */
export const acmeProfiles = (): Migration => ({
  async up(db: AnyDb) {
    await db.schema.alterTable("acme_orders").addColumn("profile", "varchar(20)").execute();
  },
});
