import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the identities of staff at the identity provider, the rights that its groups gave, and what sessions and accounts record of both. */
export const singleSignOn = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("sign_on_identities")
      .addColumn("issuer", "varchar(300)", (c) => c.notNull())
      .addColumn("subject", "varchar(255)", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("linked_at", type.moment, (c) => c.notNull())
      .addPrimaryKeyConstraint("sign_on_identities_pk", ["issuer", "subject"])
      .execute();
    await db.schema.createIndex("sign_on_identities_user_id").on("sign_on_identities").column("user_id").execute();

    await db.schema
      .createTable("group_rights")
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("right", "varchar(30)", (c) => c.notNull())
      .addColumn("granted_at", type.moment, (c) => c.notNull())
      .addPrimaryKeyConstraint("group_rights_pk", ["user_id", "right"])
      .execute();

    await db.schema.alterTable("sessions").addColumn("signed_on_with", "varchar(15)").execute();
    await db.schema.alterTable("users").addColumn("password_allowed_until", type.moment).execute();
  },
});
