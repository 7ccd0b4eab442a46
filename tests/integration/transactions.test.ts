import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { getConnection, getDb, type Trx } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { usePortal } from "../support/portal";

const portal = usePortal();
const isSqlite = process.env.TEST_DATABASE === "sqlite";

const busy = (code: string) => Object.assign(new Error("database is locked"), { code });

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

describe("transactions", () => {
  test.runIf(isSqlite)("[CAL-04] one that reads before it writes waits for another process's", async () => {
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

  test.each(["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_BUSY_RECOVERY", "40001", "40P01"])(
    "[CAL-04] %s is tried again, at most five times",
    async (code) => {
      let tries = 0;
      const result = await inTransaction(() => {
        tries += 1;
        return tries < 4 ? Promise.reject(busy(code)) : Promise.resolve("done");
      });
      expect([result, tries]).toEqual(["done", 4]);
      tries = 0;
      const never = inTransaction(() => {
        tries += 1;
        return Promise.reject(busy(code));
      });
      await expect(never).rejects.toThrow("database is locked");
      expect(tries).toBe(5);
    },
  );

  test("other failures are not tried again", async () => {
    let tries = 0;
    const failing = inTransaction(() => {
      tries += 1;
      return Promise.reject(busy("SQLITE_CONSTRAINT"));
    });
    await expect(failing).rejects.toThrow("database is locked");
    expect(tries).toBe(1);
  });
});

describe("indexes", () => {
  test("[CER-02] lists, an order's messages and a certificate's links are found without reading everything", async () => {
    const { dialect, db } = getConnection();
    const { rows } = await (
      dialect === "sqlite"
        ? sql<{ name: string }>`select name from sqlite_master where type = 'index'`
        : sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = 'public'`
    ).execute(db);
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "mails_order",
        "tokens_certificate",
        "certificates_user_requested_at",
        "certificates_user_expiry_date",
        "certificates_user_sort_name",
        "certificates_requested_at",
        "certificates_sort_name",
      ]),
    );
  });

  test.runIf(isSqlite)("[CER-02] a customer's list by name comes out of the index in order", async () => {
    const plan = await getDb()
      .selectFrom("certificates")
      .select("id")
      .where("userId", "=", 1)
      .orderBy("sortName", "desc")
      .orderBy("id", "desc")
      .explain<{ detail: string }>(undefined, sql`query plan`);
    expect(plan.map(({ detail }) => detail).join("; ")).toMatch(
      /^SEARCH certificates USING .*certificates_user_sort_name/,
    );
  });
});
