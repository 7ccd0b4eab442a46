import { type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/** Finds what followed a certificate, and lets one renewal at most wait for each. */
export const renewals = (): Migration => ({
  async up(db: AnyDb) {
    await db.schema
      .createIndex("certificates_previous")
      .on("certificates")
      .columns(["previous_certificate_id", "id"])
      .where("previous_certificate_id" as never, "is not", null)
      .execute();
    await db.schema
      .createIndex("certificates_pending_renewal")
      .unique()
      .on("certificates")
      .column("previous_certificate_id")
      .where("order_type" as never, "=", "Renewal")
      .where("status" as never, "=", "Pending")
      .execute();
  },
});
