import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { newestKey } from "~/domain/audit/chain-keys.server";
import { verifyAndSign } from "~/domain/audit/checkpoint.service.server";
import { getDb } from "~db/connection.server";
import { listChain } from "~db/repositories/audit-chain.server";
import { inTransaction } from "~db/transaction.server";
import { record, recordMany, verified, useEmptyTrail, tamperWith } from "../support/audit";
import { runCommand } from "../support/command";
import { usePortal } from "../support/portal";

const portal = usePortal();
useEmptyTrail();

describe("the audit chain", () => {
  test("[AUD-02] has consecutive entries without gaps and is sound", async () => {
    expect(await verified()).toMatchObject({ entries: 0, problems: [] });
    await recordMany(3);
    await record();
    const rows = await listChain(getDb(), 1, 10);
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(rows.map(({ previous }) => previous?.toString("hex"))).toEqual([
      "",
      ...rows.slice(0, 3).map(({ mac }) => mac?.toString("hex")),
    ]);
    expect(await verified()).toMatchObject({ entries: 4, problems: [] });
  });

  test("[AUD-02] stays one chain with many simultaneous entries, rollbacks and retries", async () => {
    const failing = inTransaction(async (trx) => {
      await recordAudit(trx, { actor: systemActor("test"), event: "test.failed", message: "Never." });
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    let tries = 0;
    await inTransaction(async (trx) => {
      await recordAudit(trx, { actor: systemActor("test"), event: "test.tried", message: "Once." });
      tries += 1;
      if (tries < 3) throw Object.assign(new Error("again"), { code: "40001" });
    });
    await Promise.all(Array.from({ length: 40 }, () => recordMany(2)));
    expect(await verified()).toMatchObject({ entries: 81, problems: [] });
    const rows = await listChain(getDb(), 1, 100);
    expect(rows.filter(({ event }) => event === "test.tried")).toHaveLength(1);
    expect(rows.filter(({ event }) => event === "test.failed")).toHaveLength(0);
  });

  test("[AUD-02] seals a thousand entries of one transaction, and texts of every kind, as they are read back", async () => {
    const texts = ["", " ", "<b>", "‮right to left", "🔑", "half \ud83d", "line\nline", "é", "e\u0301", '"\\'];
    await inTransaction(async (trx) => {
      for (let index = 0; index < 1100; index += 1)
        await recordAudit(trx, {
          actor: systemActor(texts[index % texts.length] ?? ""),
          event: "test.many",
          message: texts[index % texts.length] ?? "",
          reference: texts[index % texts.length],
        });
    });
    expect(await verified()).toMatchObject({ entries: 1100, problems: [] });
  });

  test("[AUD-02] stops every change that cannot be recorded", async () => {
    const setting = { name: "audit-test", userId: 0, value: "x", updatedAt: new Date() };
    const changeSetting = () =>
      inTransaction(async (trx) => {
        await recordAudit(trx, { actor: systemActor("test"), event: "test.set", message: "Set." });
        await trx.insertInto("settings").values(setting).execute();
      });
    const isSet = async () =>
      (await getDb().selectFrom("settings").select("name").where("name", "=", "audit-test").execute()).length === 1;
    for (const [from, to] of [
      ["audit_entries", "audit_away"],
      ["audit_head", "audit_away"],
    ] as const) {
      await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(getDb());
      try {
        await expect(changeSetting()).rejects.toThrow();
      } finally {
        await sql`alter table ${sql.table(to)} rename to ${sql.table(from)}`.execute(getDb());
      }
      expect(await isSet()).toBe(false);
    }
    await getDb().deleteFrom("auditHead").execute();
    await expect(changeSetting()).rejects.toThrow("head is missing");
    expect((await verified()).problems).toEqual(["The head of the audit trail is missing: removed."]);
    expect(await isSet()).toBe(false);
    const empty = Buffer.alloc(0);
    const head = { id: 1, sequence: 0, entryId: 0, mac: empty, keyId: "", seal: empty };
    await getDb().insertInto("auditHead").values(head).execute();
    await changeSetting();
    expect(await isSet()).toBe(true);
  });

  test("accepts entries only in transactions of the portal", async () => {
    const outside = getDb()
      .transaction()
      .execute((trx) => recordAudit(trx, { actor: systemActor("test"), event: "test.x", message: "" }));
    await expect(outside).rejects.toThrow("not opened by inTransaction");
  });
});

describe("audit keys", () => {
  const key = "a newer key of the tests for the audit trail";
  const withKeys = (AUDIT_KEYS: string) => runCommand(["audit", "verify"], { ...portal.env, AUDIT_KEYS });

  test("[AUD-02] audit verify exits with 0 when all is sound, and with 1 and the positions otherwise", async () => {
    await recordMany(3);
    await verifyAndSign();
    const sound = await runCommand(["audit", "verify"], portal.env);
    expect(sound).toEqual({ code: 0, out: "The audit trail is sound. Entries: 3, checkpoints: 2.\n", err: "" });
    await tamperWith(2, { message: "changed" });
    const { code, out, err } = await runCommand(["audit", "verify"], portal.env);
    expect(out).toMatch(/^Entry 2 \(id 2, .*\): it is not what was sealed: .*\n$/);
    expect([code, err]).toEqual([
      1,
      "portal: The audit trail is not sound. Entries: 3, checkpoints: 2, problems: 1.\n",
    ]);
    const missing = await runCommand(["audit", "verify", "--checkpoints", "/nowhere"], portal.env);
    expect([missing.code, missing.err]).toEqual([1, "portal: There is no file '/nowhere'.\n"]);
  });

  test("[AUD-02] a new key continues the chain, and the old one is still needed to verify its entries", async () => {
    await recordMany(2);
    const both = `${key},${portal.env.AUDIT_KEYS}`;
    const checkpoint = await runCommand(["audit", "checkpoint"], { ...portal.env, AUDIT_KEYS: both });
    expect(checkpoint.out).toContain("sound up to entry 2");
    expect((await withKeys(both)).code).toBe(0);
    const without = await withKeys(key);
    expect(without.code).toBe(1);
    expect(without.out).toMatch(/Entry 1 .* which is not among AUDIT_KEYS/);
    const shown = await runCommand(["audit", "public-keys"], { ...portal.env, AUDIT_KEYS: both });
    expect(shown.out.match(/BEGIN PUBLIC KEY/g)).toHaveLength(2);
    expect(shown.out).toContain(newestKey().id);
    expect(shown.out.match(/^SHA-256 [0-9A-F]{2}(:[0-9A-F]{2}){31}$/gm)).toHaveLength(2);
  });
});
