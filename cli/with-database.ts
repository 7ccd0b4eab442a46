/**
 * Runs a command with the migrated database. Closes the database afterwards, so that the process can end, and ends the signer if the command has
 * started it. Throws an Error when the database is not set up.
 *
 * @param hint What else can be done without a database, as a sentence.
 */
export async function withDatabase(work: () => Promise<void>, hint?: string): Promise<void> {
  const { closeDb, getConnection } = await import("~db/connection.server");
  const { endOwnSigner } = await import("~/domain/authorities/own-signer.server");
  const { isMigrated, NOT_SET_UP } = await import("~db/migrate.server");
  try {
    if (!(await isMigrated(getConnection()))) {
      throw new Error(hint === undefined ? NOT_SET_UP : `${NOT_SET_UP} ${hint}`);
    }
    await work();
  } finally {
    await endOwnSigner();
    await closeDb();
  }
}
