import { type PostgresPool as KyselyPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { encodeAll } from "./codecs";
import { mustParseAgain, StatementNames } from "./statement-names.server";
import { DatabaseUnavailable, fromPostgres, isEnded, isLost } from "./unavailable.server";

const MOST_CONNECTIONS = 10;

/**
 * A server that is up answers within milliseconds. This process may be busy for seconds, for example with a PDF, and see the answer late.
 */
const CONNECT_MS = 10_000;

/** How long after a failed attempt all callers fail at once instead of waiting for a connection. */
const PAUSE_MS = 250;

/** The driver waits a little longer than the server, because the server's error says what took too long. */
const BEYOND_SERVER_MS = 2_000;

/** A statement that can be sent again, because it only reads or begins a transaction. */
const REPEATABLE = /^\s*(begin|start transaction|select)\b/i;

/** Returns whether a statement, as the driver takes it, can be sent again. */
const isRepeatable = (statement: unknown): boolean =>
  REPEATABLE.test(typeof statement === "string" ? statement : ((statement as { text?: string }).text ?? ""));

type Query = (...args: unknown[]) => Promise<unknown>;

/**
 * Sets the connection time limit for each client. The time limit of the pool would also apply to waiting for a connection that is in use.
 */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
  }
}

/**
 * Parsers that make PostgreSQL return the same values as SQLite: bigint as number, timestamps as ISO text. The driver already reads
 * booleans as booleans.
 */
const readers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
};

const getTypeParser = ((oid: number, format?: "text" | "binary"): unknown =>
  readers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

/** Opens a pool. `timeoutMs` is the longest that a statement, or an idle transaction, may take. */
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
 * A pool of connections to a PostgreSQL server that may go away and come back, possibly at another address. Every failure caused by this is
 * thrown as DatabaseUnavailable. A connection that failed is not used again, and neither is any connection that is older than the failure.
 */
export class PostgresPool implements KyselyPool {
  readonly #pool: pg.Pool;
  /** The number of times that a connection was lost, and for each connection the value of that number when it was made. */
  #losses = 0;
  readonly #madeAt = new WeakMap<pg.ClientBase, number>();
  #pausedUntil = 0;
  readonly #names = new StatementNames();

  constructor(connectionString: string, timeoutMs: number) {
    this.#pool = openPool(connectionString, timeoutMs);
    this.#pool.on("error", () => this.#lose()); // raised for idle connections
    this.#pool.on("connect", (client) => {
      this.#madeAt.set(client, this.#losses);
      // A connection in use fails with its query. Without this listener the event would end the process.
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

  /** Waits for a connection. Throws DatabaseUnavailable when none can be made. */
  async #available(): Promise<pg.PoolClient> {
    return this.#checkOut().catch((error: unknown) => {
      throw new DatabaseUnavailable(error);
    });
  }

  /**
   * Waits for a connection. Throws DatabaseUnavailable when none can be made. When the connection had been ended while nobody used it, and
   * the first statement can be repeated, another connection takes its place.
   */
  async connect(): Promise<PostgresPoolClient> {
    let client: pg.PoolClient | null = await this.#available();
    let [isFirst, isBroken] = [true, false];
    const send: Query = async (...args) => {
      if (!client) throw new DatabaseUnavailable("The connection was lost.");
      const [text, parameters] = args;
      const values = Array.isArray(parameters) ? encodeAll(parameters) : parameters;
      const named = typeof text === "string" && Array.isArray(values) ? this.#names.named(text, values) : null;
      try {
        return await (named ? (client.query as Query)(named) : (client.query as Query)(text, values));
      } catch (error) {
        if (mustParseAgain(error)) this.#names.forget();
        if (isLost(error) && !isBroken) {
          isBroken = true;
          this.#lose();
        }
        throw error;
      }
    };
    const release = () => {
      client?.release(isBroken);
      client = null;
    };
    const query: Query = async (...args) => {
      const isAlone = isFirst; // or the first of a transaction, which has no name
      const mayRepeat = isFirst && isRepeatable(args[0]);
      isFirst = false;
      try {
        return await send(...args).catch(async (error: unknown) => {
          if (isAlone && mustParseAgain(error)) return send(...args);
          if (!mayRepeat || !isEnded(error)) throw error;
          release(); // first, because all connections of the pool may have been ended at once
          [client, isBroken] = [await this.#available(), false];
          return send(...args);
        });
      } catch (error) {
        throw fromPostgres(error);
      }
    };
    return { query: query as PostgresPoolClient["query"], release };
  }

  /** Runs one statement on any connection of the pool. */
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
