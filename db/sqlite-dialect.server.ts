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
import { withCodecs } from "./codecs";

const STATEMENTS = 500;

const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i;

/**
 * Caches prepared statements: the same statements are used again and again, and preparing one takes longer than most take to run. A
 * statement that changes the schema empties the cache, because the columns of the others may have changed. The cache does not support
 * `stream()`, because a statement that is being read cannot run a second time.
 */
function cacheStatements(database: SQLite.Database): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({
    max: STATEMENTS,
    memoMethod: (sql) => withCodecs(database.prepare(sql)),
  });
  const prepare = (sql: string) => {
    if (CHANGES_SCHEMA.test(sql)) prepared.clear();
    return prepared.memo(sql);
  };
  return { prepare, close: () => void database.close() };
}

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
  /**
   * A full disk ends the transaction by itself (sqlite.org/lang_transaction.html). The rollback then fails because no transaction is
   * active, and that error must not hide the original one.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("no transaction is active")) throw error;
    }
  }
}

/**
 * A SQLite dialect whose transactions begin as writers. SQLite refuses a transaction that reads first and writes later at once
 * (SQLITE_BUSY) when another process holds the lock, whatever the time-out. A transaction that begins as a writer waits for the lock.
 */
export class ImmediateSqliteDialect extends SqliteDialect {
  constructor(private readonly database: SQLite.Database) {
    super({ database });
  }
  override createDriver(): SqliteDriver {
    return new ImmediateDriver({ database: cacheStatements(this.database) });
  }
}
