import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { securityEventsStored } from "~/domain/security-events/background.server";
import { closeDb } from "~db/connection.server";

/**
 * Copies the portal's SQLite database. Returns a function that puts the copy back, so that a test can repeat what changes something. The
 * first connection after that opens the file again.
 */
export async function takeSnapshot(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, "marque.sqlite");
  const copy = join(dataDir, "snapshot.sqlite");
  const closed = async () => {
    await securityEventsStored();
    await closeDb(); // the last connection writes the log back into the file
  };
  await closed();
  copyFileSync(file, copy);
  return async () => {
    await closed();
    copyFileSync(copy, file);
  };
}
