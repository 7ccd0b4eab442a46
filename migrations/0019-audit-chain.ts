import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** The audit trail becomes a chain: each entry's place and seals, where the chain stands, and signed checkpoints of it. */
export const auditChain = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    const add = (name: string, columnType: Parameters<ReturnType<AnyDb["schema"]["alterTable"]>["addColumn"]>[1]) =>
      db.schema.alterTable("audit_entries").addColumn(name, columnType).execute();
    await add("sequence", "integer");
    await add("previous", type.bytes);
    await add("mac", type.bytes);
    await add("key_id", "varchar(16)");
    await db.schema.createIndex("audit_sequence").on("audit_entries").column("sequence").unique().execute();

    await db.schema
      .createTable("audit_head")
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("sequence", "integer", (c) => c.notNull())
      .addColumn("entry_id", "integer", (c) => c.notNull())
      .addColumn("mac", type.bytes, (c) => c.notNull())
      .addColumn("unsealed_until", "integer")
      .addColumn("key_id", "varchar(16)", (c) => c.notNull())
      .addColumn("seal", type.bytes, (c) => c.notNull())
      .execute();
    // Entries from before are sealed at the next start, by whoever has the key; new ones get the ids after theirs.
    const empty = dialect === "postgres" ? sql`''::bytea` : sql`x''`;
    await sql`insert into audit_head (id, sequence, entry_id, mac, unsealed_until, key_id, seal)
      select 1, 0, coalesce(max(id), 0), ${empty}, max(id), '', ${empty} from audit_entries`.execute(db);

    await db.schema
      .createTable("audit_checkpoints")
      .addColumn("sequence", "integer", (c) => c.primaryKey())
      .addColumn("at", type.moment, (c) => c.notNull())
      .addColumn("mac", type.bytes, (c) => c.notNull())
      .addColumn("key_id", "varchar(16)", (c) => c.notNull())
      .addColumn("signature", type.bytes, (c) => c.notNull())
      .execute();
  },
});
