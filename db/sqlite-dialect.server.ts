import { CompiledQuery, type DatabaseConnection, SqliteDialect, type SqliteDialectConfig, SqliteDriver } from "kysely";

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
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
