import { type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/** Adds the reminders of the partners of certificates, and the choice that renewals are published to them by themselves. */
export const partnerReminders = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .alterTable("certificate_partners")
      .addColumn("reminders", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("certificate_partners").addColumn("reminded_at", type.moment).execute();
    await db.schema
      .createIndex("certificate_partners_unanswered")
      .on("certificate_partners")
      .columns(["answer", "reminders", "sent_at"])
      .execute();
    await db.schema
      .createTable("certificate_partner_settings")
      .addColumn("certificate_id", "integer", (c) => c.primaryKey().references("certificates.id"))
      .addColumn("switch_days", "integer", (c) => c.notNull())
      .addColumn("set_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("set_at", type.moment, (c) => c.notNull())
      .addColumn("due_at", type.moment)
      .execute();
    await db.schema
      .createIndex("certificate_partner_settings_due")
      .on("certificate_partner_settings")
      .column("due_at")
      .execute();
  },
});
