import pg from "pg";
import { inject } from "vitest";

/** Runs a statement on the project's PostgreSQL server, outside the databases of the tests. */
export async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(`${inject("postgresUrl")}/postgres`);
  await client.connect();
  await client.query(statement);
  await client.end();
}
