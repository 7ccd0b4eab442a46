import { type PostgresPool as KyselyPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { DatabaseUnavailable, fromPostgres, isLost } from "./unavailable.server";

const MOST_CONNECTIONS = 10;

/** A server that is there takes milliseconds. But this process may be busy for seconds, with a PDF for example, and hear of it late. */
const CONNECT_MS = 10_000;

/** For so long after a failed attempt nobody else waits for a connection. */
const PAUSE_MS = 250;

/** The driver waits a little longer than the server, which says what took too long. */
const BEYOND_SERVER_MS = 2_000;

/** The pool's own time limit would also end the waiting for a connection that others still use. */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
  }
}

/** PostgreSQL hands over what SQLite does: bigint as number, moments as ISO text. Its driver reads booleans as such. */
const readers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
};

const getTypeParser = ((oid: number, format?: "text" | "binary"): unknown =>
  readers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

/** `timeoutMs`: the longest that a statement, or a transaction that does nothing, may take. */
const openPool = (connectionString: string, timeoutMs: number) =>
  new pg.Pool({
    connectionString,
    max: MOST_CONNECTIONS,
    Client: Client as unknown as new () => pg.ClientBase,
    keepAlive: true,
    types: { getTypeParser },
    options: ["timezone=UTC", `statement_timeout=${timeoutMs}`, `idle_in_transaction_session_timeout=${timeoutMs}`]
      .map((setting) => `-c ${setting}`)
      .join(" "),
    query_timeout: timeoutMs + BEYOND_SERVER_MS,
  });

/**
 * Connections to a PostgreSQL server that may go away and come back, also under another address. Whatever fails because of that is a
 * DatabaseUnavailable; a connection that failed is not used again, nor is any that is older than the failure.
 */
export class PostgresPool implements KyselyPool {
  readonly #pool: pg.Pool;
  /** How many times connections were lost, and at which of these a connection was made. */
  #losses = 0;
  readonly #madeAt = new WeakMap<pg.ClientBase, number>();
  #pausedUntil = 0;

  constructor(connectionString: string, timeoutMs: number) {
    this.#pool = openPool(connectionString, timeoutMs);
    this.#pool.on("error", () => this.#lose()); // an idle connection
    this.#pool.on("connect", (client) => {
      this.#madeAt.set(client, this.#losses);
      // One that is in use fails with its query; without a listener the event would end the process.
      client.on("error", () => undefined);
    });
  }

  #lose(): void {
    this.#losses += 1;
  }

  async #checkOut(): Promise<pg.PoolClient> {
    if (performance.now() < this.#pausedUntil) throw new Error("A connection could not be made a moment ago.");
    try {
      for (;;) {
        const client = await this.#pool.connect();
        if (this.#madeAt.get(client) === this.#losses) return client;
        client.release(true);
      }
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      throw error;
    }
  }

  /** Waits for a connection. Throws DatabaseUnavailable when there is none to be had. */
  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#checkOut().catch((error: unknown) => {
      throw new DatabaseUnavailable(error);
    });
    let isBroken = false;
    const query = async (...args: unknown[]) => {
      try {
        return await (client.query as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        if (isLost(error) && !isBroken) {
          isBroken = true;
          this.#lose();
        }
        throw fromPostgres(error);
      }
    };
    return { query: query as PostgresPoolClient["query"], release: () => client.release(isBroken) };
  }

  /** Runs one statement on any connection. */
  async query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await this.connect();
    try {
      return await (client.query as unknown as (statement: pg.QueryConfig) => Promise<pg.QueryResult>)(statement);
    } finally {
      client.release();
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
