import { type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/**
 * What the audit trail is searched by and finds many, each in the order of time. Orders, certificates and codes, of which there are few
 * entries each, have their indexes.
 */
export const auditSearch = (): Migration => ({
  async up(db: AnyDb) {
    const people = ["actor_id", "actor_name", "impersonator_id", "user_id"];
    for (const column of ["event", ...people, "reference"])
      await db.schema.createIndex(`audit_${column}_at`).on("audit_entries").columns([column, "at", "id"]).execute();
    await db.schema.createIndex("audit_at_id").on("audit_entries").columns(["at", "id"]).execute();
    for (const name of ["audit_at", "audit_user"]) await db.schema.dropIndex(name).execute();
  },
});
