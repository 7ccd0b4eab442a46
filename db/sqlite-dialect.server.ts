import { closeSync, fdatasync, openSync } from "node:fs";
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
import { SnakeCaseSqliteCompiler } from "./compilers.server";
import { SharedSync } from "./shared-sync.server";

const STATEMENTS = 500;

const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i;

/** SQLite counts a transaction that begins as a writer as writing, also when nothing follows. */
const IS_CONTROL = /^\s*(begin|commit|rollback|savepoint|release)\b/i;

const syncFile = (file: number) =>
  new Promise<void>((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())));

/**
 * The changes of a connection on their way to the disk. SQLite writes them to its log without waiting for the disk (`synchronous = NORMAL`),
 * because it would wait on the thread that does everything else. Whoever made a change is answered when the disk has the log.
 */
class Changes {
  #hasWritten = false;
  #log: number | null = null;
  readonly #sync = new SharedSync(() => syncFile((this.#log ??= openSync(`${this.database.name}-wal`, "r"))));

  constructor(
    private readonly database: SQLite.Database,
    private readonly hasLog: boolean,
  ) {}

  /** Notes that whoever has the connection has written something. */
  note(): void {
    this.#hasWritten = this.hasLog;
  }

  /** Returns whether something was written since the last call, or since `forget`. */
  take(): boolean {
    const hasWritten = this.#hasWritten;
    this.#hasWritten = false;
    return hasWritten;
  }

  /** Forgets what was written, so that nobody waits for it. */
  forget(): void {
    this.#hasWritten = false;
  }

  wait(): Promise<void> {
    return this.#sync.wait();
  }

  async close(): Promise<void> {
    await this.#sync.settle();
    if (this.#log !== null) closeSync(this.#log);
    this.#log = null;
  }
}

/**
 * Caches prepared statements: the same statements are used again and again, and preparing one takes longer than most take to run. A
 * statement that changes the schema empties the cache, because the columns of the others may have changed. The cache does not support
 * `stream()`, because a statement that is being read cannot run a second time.
 */
function cacheStatements(database: SQLite.Database, changes: Changes): SqliteDatabase {
  const open = (sql: string): SqliteStatement => {
    const statement = database.prepare<unknown[], Record<string, unknown>>(sql);
    const coded = withCodecs(statement);
    if (statement.readonly || IS_CONTROL.test(sql)) return coded;
    const noting =
      <Result>(work: (parameters: readonly unknown[]) => Result) =>
      (parameters: readonly unknown[]): Result => {
        changes.note();
        return work(parameters);
      };
    return {
      ...coded,
      all: noting((parameters) => coded.all(parameters)),
      run: noting((parameters) => coded.run(parameters)),
    };
  };
  const prepared = new LRUCache<string, SqliteStatement>({ max: STATEMENTS, memoMethod: open });
  const prepare = (sql: string) => {
    if (CHANGES_SCHEMA.test(sql)) prepared.clear();
    return prepared.memo(sql);
  };
  return { prepare, close: () => void database.close() };
}

class ImmediateDriver extends SqliteDriver {
  readonly #changes: Changes;

  constructor(database: SQLite.Database, changes: Changes) {
    super({ database: cacheStatements(database, changes) });
    this.#changes = changes;
  }
  /** Lets the next one have the connection, and then waits until the disk has what was written. */
  override async releaseConnection(): Promise<void> {
    const hasWritten = this.#changes.take();
    await super.releaseConnection();
    if (hasWritten) await this.#changes.wait();
  }
  override async destroy(): Promise<void> {
    await this.#changes.close();
    await super.destroy();
  }
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
    } finally {
      this.#changes.forget();
    }
  }
}

/**
 * A SQLite dialect whose transactions begin as writers. SQLite refuses a transaction that reads first and writes later at once
 * (SQLITE_BUSY) when another process holds the lock, whatever the time-out. A transaction that begins as a writer waits for the lock.
 */
export class ImmediateSqliteDialect extends SqliteDialect {
  readonly #changes: Changes;

  /** @param hasLog Whether the database has a write-ahead log. Without one, SQLite itself waits for the disk. */
  constructor(
    private readonly database: SQLite.Database,
    hasLog: boolean,
  ) {
    super({ database });
    this.#changes = new Changes(database, hasLog);
  }
  override createQueryCompiler(): SnakeCaseSqliteCompiler {
    return new SnakeCaseSqliteCompiler();
  }
  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.database, this.#changes);
  }
  /** Lets whoever has the connection now return it without waiting for the disk. The next one who waits makes these changes safe, too. */
  leaveChanges(): void {
    this.#changes.forget();
  }
}
