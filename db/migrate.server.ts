import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE, MIGRATION_LOCK_ID, Migrator, sql } from "kysely";
import { memoize } from "~/lib/memoize.server";
import { migrations } from "~migrations/index";
import { type DbConnection, type DbOrTrx, type Dialect, type Trx } from "./connection.server";
import { saveCountries } from "./repositories/countries.server";

/** Why a database of a version before the first release is refused, and what to do. */
export const FORMER_DATABASE =
  "This database was made by a version of Marque before the first release and cannot be updated: start with a new data folder " +
  "or database, and bring accounts and codes over as CSV files with 'users import' and 'codes import' (docs/operations.md).";

export const NOT_SET_UP =
  "The database is not set up: run 'npm run portal -- setup' or 'npm run portal -- db migrate'.";

/** A migration that ran on every database made before the first release and on none made later. */
const FORMER_MIGRATION = "0002-certificates";

/** Returns whether a database that ran these migrations was made before the first release. */
export const isFormer = (executed: readonly string[]): boolean => executed.includes(FORMER_MIGRATION);

/** Returns whether the database was made before the first release. Changes nothing. */
export async function isFormerDatabase({ db }: DbConnection): Promise<boolean> {
  const plain = db.withoutPlugins();
  const tables = await plain.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(plain);
  return isFormer(rows.map(({ name }) => name));
}

/**
 * How long a migration on PostgreSQL waits for a lock, in milliseconds. Every statement of the portal on that table waits behind it, and
 * what holds the lock, such as a backup, may take hours.
 */
export const lockWaitMs = memoize(() => 5000);

async function refuseFormer(connection: DbConnection): Promise<void> {
  if (await isFormerDatabase(connection)) throw new Error(FORMER_DATABASE);
}

/**
 * Updates the database to the current schema and country list. Must be called from one process only. Returns the names of the migrations
 * that ran. Throws an Error when the database was made before the first release, and DatabaseUnavailable when a table stays locked;
 * nothing is changed then.
 */
export async function migrateToLatest(connection: DbConnection): Promise<string[]> {
  await refuseFormer(connection);
  const { db, dialect } = connection;
  const all = migrations(dialect);
  const plain = db.withoutPlugins();
  const migrator = new Migrator({
    db: plain,
    // Numbers are assigned when work on a migration begins. A migration can therefore arrive after databases have run one with a higher
    // number.
    allowUnorderedMigrations: true,
    provider: {
      getMigrations: () =>
        Promise.resolve(
          // Kysely runs SQLite migrations without a transaction. Each one is wrapped in a transaction here, so that a failed migration
          // leaves nothing behind. On PostgreSQL, all of them run in one transaction.
          Object.fromEntries(
            Object.entries(all).map(([name, step]) => [
              name,
              {
                up: async (into) => {
                  if (!into.isTransaction) return into.transaction().execute((trx) => step.up(trx));
                  await sql`select set_config('lock_timeout', ${`${lockWaitMs()}ms`}, true)`.execute(into);
                  return step.up(into);
                },
              },
            ]),
          ),
        ),
    },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error as Error;
  await saveCountries(db);
  return (results ?? []).map((result) => result.migrationName);
}

/** Returns whether every migration has run. Throws an Error when the database was made before the first release. */
export async function isMigrated(connection: DbConnection): Promise<boolean> {
  await refuseFormer(connection);
  const { db, dialect } = connection;
  const migrator = new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations: () => Promise.resolve(migrations(dialect)) },
  });
  return (await migrator.getMigrations()).every((migration) => migration.executedAt !== undefined);
}

/** Throws an Error when the database has no schema, or one from before the first release. */
export async function requireMigrations(connection: DbConnection): Promise<void> {
  await refuseFormer(connection);
  const tables = await connection.db.withoutPlugins().introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) throw new Error(NOT_SET_UP);
}

/** Creates the two tables as Kysely's migrator does, which cannot run within a transaction. */
async function createMigrationTables(db: DbOrTrx): Promise<void> {
  await db.schema
    .createTable(DEFAULT_MIGRATION_TABLE)
    .addColumn("name", "varchar(255)", (column) => column.notNull().primaryKey())
    .addColumn("timestamp", "varchar(255)", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable(DEFAULT_MIGRATION_LOCK_TABLE)
    .addColumn("id", "varchar(255)", (column) => column.notNull().primaryKey())
    .addColumn("is_locked", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`insert into ${sql.table(DEFAULT_MIGRATION_LOCK_TABLE)} (id) values (${MIGRATION_LOCK_ID})`.execute(db);
}

async function runWithin(trx: Trx, dialect: Dialect, names: readonly string[]): Promise<void> {
  const db = trx.withoutPlugins();
  const all = migrations(dialect);
  for (const name of names) {
    await all[name]?.up(db);
    const at = new Date().toISOString();
    await sql`insert into ${sql.table(DEFAULT_MIGRATION_TABLE)} (name, timestamp) values (${name}, ${at})`.execute(db);
  }
}

/** Gives an empty database the schema of a version that had run these migrations and no others, within a transaction. */
export async function createFormerSchema(trx: Trx, dialect: Dialect, names: readonly string[]): Promise<void> {
  await createMigrationTables(trx.withoutPlugins());
  await runWithin(trx, dialect, names);
}

/** Runs the migrations that a database with the data of an earlier version has not run yet, within a transaction. */
export async function finishMigrations(trx: Trx, dialect: Dialect, executed: readonly string[]): Promise<void> {
  await runWithin(
    trx,
    dialect,
    Object.keys(migrations(dialect)).filter((name) => !executed.includes(name)),
  );
  await saveCountries(trx);
}
