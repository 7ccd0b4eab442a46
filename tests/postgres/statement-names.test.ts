import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import * as dashboard from "~/routes/home.dashboard";
import { closeDb, getDb, type Trx } from "~db/connection.server";
import { findUserById, listUsersById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { run, signedInAs } from "../support/visitor";

usePortal();

let user: Awaited<ReturnType<typeof createUser>>;
beforeEach(async () => {
  user = await createUser();
  await closeDb(); // the connections before have statements of their own
});

/** Returns the texts of the statements that the connection of a transaction knows by a name. */
async function knownTo(trx: Trx): Promise<string[]> {
  const found = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(trx);
  return found.rows.map(({ statement }) => statement).filter((text) => !text.includes("pg_prepared_statements"));
}

const readThrice = async (trx: Trx) => {
  for (let time = 0; time < 3; time += 1) await listUsersById(trx, [user.id]);
};

/** Reads accounts of which only the first one exists, three times with each of these numbers of ids. */
async function readLists(trx: Trx, lengths: readonly number[]): Promise<void> {
  for (const length of lengths)
    for (let time = 0; time < 3; time += 1) {
      const ids = Array.from({ length }, (_, index) => user.id + index);
      expect(await listUsersById(trx, ids)).toHaveLength(1);
    }
}

test("[CAL-04] a statement that is used again and again is parsed once, and a long list of any length is the same statement", async () => {
  const known = await inTransaction(async (trx) => {
    await readLists(trx, [9, 10, 200]);
    return knownTo(trx);
  });
  expect(known).toEqual([expect.stringMatching(/from "users".* where "users"\."id" = any \(\$1\)/)]);
});

test("[CAL-04] short lists are in few statements, of which the server keeps the plan", async () => {
  const known = await inTransaction(async (trx) => {
    await readLists(trx, [3, 4, 5, 6, 7, 8]);
    const others = await trx.selectFrom("users").select("id").where("id", "not in", [user.id, -1, -2]).execute();
    expect(others.map(({ id }) => id)).not.toContain(user.id);
    await readLists(trx, [8, 8]);
    const { rows } = await sql<{ name: string; generic: number }>`
      select name, generic_plans as generic from pg_prepared_statements where statement like '%"users"%'`.execute(trx);
    expect(rows).toHaveLength(2);
    expect(rows.some(({ generic }) => Number(generic) > 0)).toBe(true);
    return knownTo(trx);
  });
  expect(known.every((text) => /"users"\."id" in \(\$1, \$2, \$3, \$4(, \$5, \$6, \$7, \$8)?\)/.test(text))).toBe(true);
});

test("[CAL-04] a statement whose best plan depends on the values has no name", async () => {
  const known = await inTransaction(async (trx) => {
    for (let time = 0; time < 5; time += 1)
      await trx.selectFrom("users").select("id").where("email", "like", "a%").limit(time).execute();
    return knownTo(trx);
  });
  expect(known).toEqual([]);
});

test("[CAL-04] while a newer version adds a column, no page and no transaction fails", async () => {
  const visitor = await signedInAs(user);
  const show = () => run(dashboard.loader, visitor.get("/home/dashboard"));
  for (let time = 0; time < 4; time += 1) expect((await show()).status).toBe(200);
  await inTransaction(readThrice);
  for (const table of ["users", "sessions", "companies"])
    await sql`alter table ${sql.table(table)} add column later text default 'x'`.execute(getDb());
  expect((await show()).status).toBe(200);
  let runs = 0;
  const found = await inTransaction((trx) => {
    runs += 1;
    return findUserById(trx, user.id);
  });
  expect(found?.id).toBe(user.id);
  await inTransaction(readThrice);
  expect(runs).toBeLessThanOrEqual(2);
});

test("[CAL-04] a server that has forgotten the statements, as behind a pooler, is told them again", async () => {
  const forget = async (trx: Trx) => {
    await readThrice(trx);
    await sql`deallocate all`.execute(trx);
  };
  await inTransaction(forget);
  expect(await inTransaction((trx) => listUsersById(trx, [user.id]))).toHaveLength(1);
  await inTransaction(forget);
  expect(await listUsersById(getDb(), [user.id])).toHaveLength(1);
});
