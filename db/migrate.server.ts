import { Migrator, sql } from "kysely";
import { migrations } from "~migrations/index";
import { type DbConnection } from "./connection.server";
import { saveCountries } from "./repositories/countries.server";

/** Why a database of a version before the first release is refused, and what to do. */
export const FORMER_DATABASE =
  "This database was made by a version of Marque before the first release and cannot be updated: start with a new data folder " +
  "or database, and bring accounts and codes over as CSV files with 'users import' and 'codes import' (docs/operations.md).";

/** A migration that every database of a version before the first release ran, and none of a later version. */
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

async function refuseFormer(connection: DbConnection): Promise<void> {
  if (await isFormerDatabase(connection)) throw new Error(FORMER_DATABASE);
}

/**
 * Brings the database to today's schema and country list. Call it from one process only. Returns the names of the migrations that ran.
 * Throws Error when the database was made before the first release.
 */
export async function migrateToLatest(connection: DbConnection): Promise<string[]> {
  await refuseFormer(connection);
  const { db, dialect } = connection;
  const all = migrations(dialect);
  const plain = db.withoutPlugins();
  const migrator = new Migrator({
    db: plain,
    // Numbers are given out when work begins: a migration can land after one with a higher number, which databases have then run already.
    allowUnorderedMigrations: true,
    provider: {
      getMigrations: () =>
        Promise.resolve(
          // SQLite's migrations run outside a transaction unless they open one: a failing one must leave nothing behind.
          Object.fromEntries(
            Object.entries(all).map(([name, step]) => [
              name,
              {
                up: (into) => (into.isTransaction ? step.up(into) : into.transaction().execute((trx) => step.up(trx))),
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

/** Returns whether every migration has run. Throws Error when the database was made before the first release. */
export async function isMigrated(connection: DbConnection): Promise<boolean> {
  await refuseFormer(connection);
  const { db, dialect } = connection;
  const migrator = new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations: () => Promise.resolve(migrations(dialect)) },
  });
  return (await migrator.getMigrations()).every((migration) => migration.executedAt !== undefined);
}
