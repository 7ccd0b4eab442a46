/**
 * Runs a command with the migrated database and closes the database afterwards, so that the process can end. Throws an Error when the
 * database is not set up.
 */
export async function withDatabase(work: () => Promise<void>): Promise<void> {
  const { closeDb, getConnection } = await import("~db/connection.server");
  const { isMigrated, NOT_SET_UP } = await import("~db/migrate.server");
  try {
    if (!(await isMigrated(getConnection()))) {
      throw new Error(NOT_SET_UP);
    }
    await work();
  } finally {
    await closeDb();
  }
}
