import { createRequire } from "node:module";
import type SQLiteDatabase from "better-sqlite3";

const load = createRequire(import.meta.url);
const isNode20 = process.versions.node.startsWith("20.");

/**
 * The SQLite driver: better-sqlite3 12 on Node 20, which 13 does not support, and 13 on newer versions. From Node 24.19 on, 12 ends the
 * process when the garbage collector frees a statement while no JavaScript runs
 * ([0055](../docs/decisions/0055-two-versions-of-better-sqlite3.md)).
 */
export const SQLite = load(isNode20 ? "better-sqlite3" : "better-sqlite3-13") as typeof SQLiteDatabase;
