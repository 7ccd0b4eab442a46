import { type CompiledQuery, type DatabaseConnection } from "kysely";
import { vi } from "vitest";
import { getDb } from "~db/connection.server";

/** Returns the texts of all statements that `work` sends to the database, with `begin`, `commit` and `rollback`, in their order. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const connections = await getDb()
    .getExecutor()
    .provideConnection((connection) => Promise.resolve(Object.getPrototypeOf(connection) as DatabaseConnection));
  const spy = vi.spyOn(connections, "executeQuery");
  try {
    await work();
    return spy.mock.calls.map(([{ sql }]: [CompiledQuery, ...unknown[]]) => sql);
  } finally {
    spy.mockRestore();
  }
}
