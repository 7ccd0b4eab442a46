// SQLite's log on its way to the disk. PostgreSQL waits by itself.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { inTransaction, withoutWaitingForDisk } from "~db/transaction.server";
import { usePortal } from "../support/portal";

usePortal();

describe("the disk has", () => {
  const { fdatasync } = fs;
  let [begun, ended] = [0, 0];
  let failure: Error | null = null;

  beforeEach(() => {
    [begun, ended, failure] = [0, 0, null];
    fs.fdatasync = ((file: number, done: (error: Error | null) => void) => {
      expect(fs.readlinkSync(`/proc/self/fd/${file}`)).toMatch(/marque\.sqlite-wal$/);
      begun += 1;
      fdatasync(file, (error) => {
        ended += 1;
        done(failure ?? error);
      });
    }) as typeof fs.fdatasync;
    syncBuiltinESMExports();
  });
  afterEach(() => {
    fs.fdatasync = fdatasync;
    syncBuiltinESMExports();
  });

  const insert = (name: string, db: DbOrTrx = getDb()) =>
    db.insertInto("rateLimits").values({ key: name, points: 1, expire: 1 }).execute();
  const waits = () => ({ begun, ended });

  test("[CAL-04] a transaction and a single statement before they are answered, and nothing is waited for by reading", async () => {
    await inTransaction(async (trx) => {
      await insert("one", trx);
      await insert("two", trx);
      expect(waits()).toEqual({ begun: 0, ended: 0 });
    });
    expect(waits()).toEqual({ begun: 1, ended: 1 });
    await insert("three");
    expect(waits()).toEqual({ begun: 2, ended: 2 });
    await getDb().selectFrom("rateLimits").select("key").execute();
    await inTransaction((trx) => trx.selectFrom("rateLimits").select("key").execute());
    await expect(
      inTransaction((trx) => insert("no", trx).then(() => Promise.reject(new Error("no")))),
    ).rejects.toThrow();
    expect(waits()).toEqual({ begun: 2, ended: 2 });
  });

  test("[CAL-04] many at once: those that come during a wait share the next one", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => inTransaction((trx) => insert(`many${index}`, trx))));
    expect(begun).toBeLessThanOrEqual(20);
    expect(ended).toBe(begun);
  });

  test("[CAL-04] a statement that can be lost only with the next one that is waited for", async () => {
    await withoutWaitingForDisk((db) => insert("lost", db));
    expect(begun).toBe(0);
    await expect(withoutWaitingForDisk((db) => sql`select nothing`.execute(db))).rejects.toThrow("nothing");
    await insert("safe");
    expect(waits()).toEqual({ begun: 1, ended: 1 });
  });

  // The last one, because nothing can be written after it.
  test("[CAL-04] nothing after a failure, which is the answer to everything that is written since", async () => {
    failure = new Error("EIO: i/o error, fdatasync");
    await expect(insert("broken")).rejects.toThrow("EIO");
    failure = null;
    await expect(insert("after")).rejects.toThrow("EIO");
  });
});
