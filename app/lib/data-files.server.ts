import { join } from "node:path";

/** The name of the SQLite file, in DATA_DIR and in a backup. */
export const DATABASE_FILE = "marque.sqlite";

/** Returns the path of the SQLite file in DATA_DIR. */
export const databaseFileIn = (dataDir: string): string => join(dataDir, DATABASE_FILE);

/** Returns the folder in DATA_DIR with the key files of the CAs that the portal itself opens. */
export const keyFolderIn = (dataDir: string): string => join(dataDir, "ca");
