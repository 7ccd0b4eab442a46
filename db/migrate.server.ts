import { Migrator } from "kysely";
import { migrations } from "~migrations/index";
import { type DbConnection } from "./connection.server";
import { saveCountries } from "./repositories/countries.server";

/** Brings the database to today's schema and country list. From one process only. Out: the names of the migrations that ran. */
export async function migrateToLatest({ db, dialect }: DbConnection): Promise<string[]> {
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

/** Whether any migration is still to run. */
export async function isMigrated({ db, dialect }: DbConnection): Promise<boolean> {
  const migrator = new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations: () => Promise.resolve(migrations(dialect)) },
  });
  return (await migrator.getMigrations()).every((migration) => migration.executedAt !== undefined);
}
