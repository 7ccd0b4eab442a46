import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/**
 * Messages that wait until an account's e-mail address is confirmed, and addresses that want no messages as a contact.
 * Requests to authorise that an older version queued for an account without a confirmed address wait too.
 */
export const heldMails = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .alterTable("mails")
      .addColumn("awaits_user_id", "integer", (c) => c.references("users.id"))
      .execute();
    await db.schema
      .alterTable("mails")
      .addColumn("is_contact", type.flag, (c) => c.notNull().defaultTo(type.no))
      .execute();
    await db.schema.alterTable("mails").addColumn("stop_url", "varchar(300)").execute();
    await db.schema.createIndex("mails_recipient").on("mails").columns(["recipient", "created_at"]).execute();
    await db.schema.createIndex("mails_awaiting").on("mails").column("awaits_user_id").execute();
    await db.schema.alterTable("tokens").addColumn("order_id", "integer").execute();
    await db.schema
      .createTable("contact_stops")
      .addColumn("email", "varchar(200)", (c) => c.primaryKey())
      .addColumn("stopped_at", type.moment, (c) => c.notNull())
      .addColumn("order_id", "integer")
      .execute();
    const isContact = dialect === "postgres" ? sql`true` : sql`1`;
    await sql`update mails set is_contact = ${isContact}, awaits_user_id = (
      select orders.user_id from orders join users on users.id = orders.user_id
      where orders.id = mails.order_id and users.email_verified_at is null
    ) where sent_at is null and dedupe_key like 'authorisation-request:%'`.execute(db);
  },
});
