import { Command } from "commander";
import { say } from "../output";

export function dbCommand(): Command {
  const db = new Command("db").description("the database").usage("COMMAND");
  db.command("migrate")
    .description("bring the database to this version's schema")
    .action(async () => {
      const { closeDb, getConnection } = await import("~db/connection.server");
      const { migrateToLatest } = await import("~db/migrate.server");
      try {
        const names = await migrateToLatest(getConnection());
        for (const name of names) say(`Ran ${name}`);
        if (names.length === 0) say("The database is up to date.");
      } finally {
        await closeDb();
      }
    });
  return db;
}
