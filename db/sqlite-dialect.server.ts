import { CompiledQuery, type DatabaseConnection, SqliteDialect, type SqliteDialectConfig, SqliteDriver } from "kysely";

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
  constructor(private readonly config: SqliteDialectConfig) {
    super(config);
  }
  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.config);
  }
}
