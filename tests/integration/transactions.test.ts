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
  test("[CER-02] find lists, an order's messages and a certificate's links without reading all rows", async () => {
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
});
