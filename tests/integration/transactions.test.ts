import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { getConnection } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { usePortal } from "../support/portal";

usePortal();

const busy = (code: string) => Object.assign(new Error("database is locked"), { code });

describe("transactions", () => {
  test.each(["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_BUSY_RECOVERY", "40001", "40P01"])(
    "[CAL-04] are tried again at most five times after %s",
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

  test("are not tried again after other failures", async () => {
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
  test.each([
    ["mails", "order_id"],
    ["tokens", "certificate_id"],
    ["memberships", "user_id"],
  ])("[CER-02] find the rows of %s by their %s without reading all rows", async (table, column) => {
    const { dialect, db } = getConnection();
    const explained = `explain ${dialect === "sqlite" ? "query plan " : ""}select * from ${table} where ${column} = 7`;
    const plan = await db.transaction().execute(async (trx) => {
      if (dialect === "postgres") await sql`set local enable_seqscan = off`.execute(trx); // the tables are almost empty
      return (await sql.raw(explained).execute(trx)).rows;
    });
    expect(JSON.stringify(plan)).toMatch(dialect === "sqlite" ? /SEARCH \w+ USING INDEX/ : /Index (Scan|Cond)/);
  });
});
