import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { getDb, type Trx } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { usePortal } from "../support/portal";

const portal = usePortal();

/** Counts in a row: reads first, writes what follows from it. */
async function countUp(trx: Trx): Promise<void> {
  const row = await trx.selectFrom("settings").select("value").where("name", "=", "count").executeTakeFirstOrThrow();
  await trx
    .updateTable("settings")
    .set({ value: String(Number(row.value) + 1) })
    .where("name", "=", "count")
    .execute();
}

/** Another process that counts up in a transaction of its own and keeps the database for a moment. */
const OTHER_PROCESS = `
  import SQLite from "better-sqlite3";
  const db = new SQLite(process.argv[1], { timeout: 10000 });
  db.exec("begin immediate; update settings set value = cast(value as integer) + 1 where name = 'count'");
  console.log("has it");
  setTimeout(() => db.exec("commit"), 400);
`;

describe("what only SQLite does", () => {
  test("[CAL-04] one that reads before it writes waits for another process's", async () => {
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
});
