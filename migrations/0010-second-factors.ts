import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the second factors and recovery codes of accounts, and records in each session when its user last proved who they are. */
export const secondFactors = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("second_factors")
      .addColumn("id", "integer", type.id)
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("kind", "varchar(10)", (c) => c.notNull())
      .addColumn("name", "varchar(60)", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("last_used_at", type.moment)
      .addColumn("secret", "varchar(300)")
      .addColumn("last_step", "integer")
      .addColumn("credential_id", "varchar(1400)")
      .addColumn("public_key", "varchar(3000)")
      .addColumn("counter", "bigint")
      .addColumn("transports", "varchar(200)")
      .execute();
    await db.schema.createIndex("second_factors_user_id").on("second_factors").column("user_id").execute();
    await db.schema
      .createIndex("second_factors_credential_id")
      .on("second_factors")
      .column("credential_id")
      .unique()
      .execute();

    await db.schema
      .createTable("recovery_codes")
      .addColumn("id", "integer", type.id)
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("code_hash", "varchar(200)", (c) => c.notNull())
      .addColumn("used_at", type.moment)
      .execute();
    await db.schema.createIndex("recovery_codes_user_id").on("recovery_codes").column("user_id").execute();

    await db.schema.alterTable("users").addColumn("factor_asked_at", type.moment).execute();
    await db.schema.alterTable("sessions").addColumn("proved_at", type.moment).execute();
    await db.schema.alterTable("sessions").addColumn("proved_by", "varchar(15)").execute();
  },
});
