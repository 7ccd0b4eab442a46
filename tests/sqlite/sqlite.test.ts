import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { getDb, type Trx } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";

const portal = usePortal();

/** Increments a counter in a row: reads it first and then writes the next number. */
async function countUp(trx: Trx): Promise<void> {
  const row = await trx.selectFrom("settings").select("value").where("name", "=", "count").executeTakeFirstOrThrow();
  await trx
    .updateTable("settings")
    .set({ value: String(Number(row.value) + 1) })
    .where("name", "=", "count")
    .execute();
}

/** The script of another process. It increments a counter in a transaction and keeps the database locked for 0.4 seconds. */
const OTHER_PROCESS = `
  import SQLite from "better-sqlite3";
  const db = new SQLite(process.argv[1], { timeout: 10000 });
  db.exec("begin immediate; update settings set value = cast(value as integer) + 1 where name = 'count'");
  console.log("has it");
  setTimeout(() => db.exec("commit"), 400);
`;

describe("SQLite", () => {
  test("[CAL-04] a transaction that reads before it writes waits for that of another process", async () => {
    await getDb()
      .insertInto("settings")
      .values({ name: "count", userId: 0, value: "0", updatedAt: new Date() })
      .execute();
    const file = join(portal.dataDir, "marque.sqlite");
    const other = spawn(process.execPath, ["--input-type=module", "-e", OTHER_PROCESS, file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(other, "exit");
    await once(other.stdout, "data");
    await Promise.all([inTransaction(countUp), inTransaction(countUp)]);
    expect(await ended).toEqual([0, null]);
    const { value } = await getDb().selectFrom("settings").select("value").executeTakeFirstOrThrow();
    expect(value).toBe("3");
  });

  test("[GEN-02] a long transaction lets other work of the process have its turn", async () => {
    const started = performance.now();
    let turns = 0;
    const timer = setInterval(() => (turns += 1));
    await inTransaction(async (trx) => {
      while (performance.now() - started < 100)
        await trx.selectFrom("settings").select("value").where("name", "=", "none").execute();
    });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });

  test("[GEN-02] booleans are decoded under any name, also of joined and changed rows and one by one; calculated numbers stay numbers", async () => {
    const { id } = await createUser({ isAdmin: true, vatNumberChecked: false });
    const users = getDb().selectFrom("users").where("users.id", "=", id);
    const owners = users.innerJoin("companies", "companies.id", "users.companyId");
    const joined = owners.innerJoin("countries", (join) => join.on("countries.iso", "=", "DE"));
    const selected = joined.select((eb) => [
      "isAdmin as mayAll",
      "isDisabled",
      "vatNumberChecked",
      "euMember",
      eb.fn.max("isAdmin").as("most"),
    ]);
    const row = { mayAll: true, isDisabled: false, vatNumberChecked: false, euMember: true, most: 1 };
    expect(await selected.execute()).toEqual([row]);
    for await (const streamed of selected.stream()) expect(streamed).toEqual(row);
    const changed = getDb().updateTable("users").set({ isApplicant: true, isAdmin: false }).where("id", "=", id);
    expect(await changed.returning(["isApplicant", "isAdmin as mayAll"]).execute()).toEqual([
      { isApplicant: true, mayAll: false },
    ]);
    const unchecked = getDb().updateTable("companies").set({ vatNumberChecked: null }).returning("vatNumberChecked");
    expect(await unchecked.executeTakeFirst()).toEqual({ vatNumberChecked: null });
  });
});
