import type SQLite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteDialect,
  type SqliteDatabase,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { LRUCache } from "lru-cache";
import { readingBooleans } from "./codecs";

const STATEMENTS = 500;

/**
 * The same statements come again and again, and preparing one takes longer than most take to run. One that is prepared is prepared anew by
 * SQLite itself when the schema has changed. Not for `stream()`: a statement that is being read cannot be run a second time.
 */
function rememberStatements(database: SQLite.Database): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({
    max: STATEMENTS,
    memoMethod: (sql) => readingBooleans(database.prepare(sql)),
  });
  return { prepare: (sql) => prepared.memo(sql), close: () => void database.close() };
}

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
  /** A full disk ends a transaction by itself (sqlite.org/lang_transaction.html): that nothing is left to roll back must not hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("no transaction is active")) throw error;
    }
  }
}

/**
 * SQLite whose transactions begin as writers. One that reads first and writes later cannot wait for another process's lock:
 * SQLite refuses it at once (SQLITE_BUSY), whatever the time-out; one that begins as writer waits its turn.
 */
export class ImmediateSqliteDialect extends SqliteDialect {
  constructor(private readonly database: SQLite.Database) {
    super({ database });
  }
  override createDriver(): SqliteDriver {
    return new ImmediateDriver({ database: rememberStatements(this.database) });
  }
}
