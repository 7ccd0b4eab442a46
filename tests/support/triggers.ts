import { sql } from "kysely";
import { getConnection } from "~db/connection.server";

/** The statement of a trigger that makes the change fail, as a full disk would. */
const FAIL = { sqlite: "select raise(abort, 'disk full')", postgres: "raise exception 'disk full'" };

/** Makes the last write of an order fail, which is that of its messages. */
export const MAIL_FAILS = { table: "mails", event: "insert", statement: "fail" } as const;

/**
 * Runs `work` with a trigger: before each change of this kind to the table, the database runs the statement.
 *
 * @param event `insert`, `update` or `delete`.
 * @param statement SQL that both databases understand, or "fail".
 */
export async function withTrigger<T>(
  { table, event, statement }: { table: string; event: "insert" | "update" | "delete"; statement: string },
  work: () => Promise<T>,
): Promise<T> {
  const { db, dialect } = getConnection();
  const run = (text: string) => sql.raw(text).execute(db);
  const body = statement === "fail" ? FAIL[dialect] : statement;
  const returned = event === "delete" ? "old" : "new";
  if (dialect === "sqlite") await run(`create trigger test_trigger before ${event} on ${table} begin ${body}; end`);
  else {
    await run(
      `create function test_trigger() returns trigger language plpgsql as $$ begin ${body}; return ${returned}; end $$`,
    );
    await run(`create trigger test_trigger before ${event} on ${table} for each row execute function test_trigger()`);
  }
  try {
    return await work();
  } finally {
    if (dialect === "sqlite") await run("drop trigger test_trigger");
    else await run("drop function test_trigger cascade");
  }
}
