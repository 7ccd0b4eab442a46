import { verify as verifySignature } from "node:crypto";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { newestKey } from "~/domain/audit/chain-keys.server";
import { checkpointFile } from "~/domain/audit/checkpoint-file.server";
import { verifyAndSign, verifyWhole } from "~/domain/audit/checkpoint.service.server";
import { getDb } from "~db/connection.server";
import { type AuditRow, findHead, listChain, listCheckpoints } from "~db/repositories/audit-chain.server";
import { inTransaction } from "~db/transaction.server";
import { record, recordMany, verified } from "../support/audit";
import { runCommand } from "../support/command";
import { usePortal } from "../support/portal";

const portal = usePortal();

/** Empties the trail, as it is after the migration. */
async function startFresh() {
  await getDb().deleteFrom("auditEntries").execute();
  await getDb().deleteFrom("auditCheckpoints").execute();
  const empty = Buffer.alloc(0);
  await getDb().updateTable("auditHead").set({ sequence: 0, entryId: 0, mac: empty, keyId: "", seal: empty }).execute();
  rmSync(checkpointFile(), { force: true });
}

beforeEach(startFresh);

const entry = async (sequence: number) => (await listChain(getDb(), sequence, 1))[0] as AuditRow;
const change = (sequence: number, values: Partial<AuditRow>) =>
  getDb().updateTable("auditEntries").set(values).where("sequence", "=", sequence).execute();
const removeFrom = (sequence: number) => getDb().deleteFrom("auditEntries").where("sequence", ">=", sequence).execute();
const forget = (row: AuditRow) => getDb().deleteFrom("auditEntries").where("id", "=", row.id).execute();
const put = (row: AuditRow) => getDb().insertInto("auditEntries").values(row).execute();

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

describe("tampering", () => {
  const other: Partial<AuditRow> = {
    id: 9000,
    at: "2020-01-01T00:00:00.000Z",
    actorId: 99,
    actorName: "nobody",
    impersonatorId: null,
    event: "test.other",
    message: "Nothing happened.",
    userId: 99,
    orderId: null,
    certificateId: 99,
    codeId: null,
    reference: "",
    previous: Buffer.alloc(32),
    mac: Buffer.alloc(32),
  };

  test.each(Object.keys(other) as (keyof AuditRow)[])(
    "[AUD-02] with a changed %s is found at its entry",
    async (field) => {
      for (let index = 0; index < 3; index += 1) await record();
      await change(2, { [field]: other[field] });
      const { id, at } = await entry(2);
      const moment = `${at.slice(0, 19).replace("T", " ")}Z`;
      expect((await verified()).problems).toEqual([
        `Entry 2 (id ${id}, ${moment}): it is not what was sealed: somebody changed or inserted it.`,
      ]);
    },
  );

  test("[AUD-02] so that searches miss an entry by its own message is found", async () => {
    await record({ message: "Company changed to Łódź." });
    await record({ message: "Company changed to Lodz." });
    expect((await entry(1)).searchText).toBe("company changed to lodz.");
    expect((await entry(2)).searchText).toBeNull();
    expect((await verified()).problems).toEqual([]);
    for (const place of [1, 2]) await change(place, { searchText: "nothing" });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 1 .* its search text does not match its message: somebody changed that\.$/),
      expect.stringMatching(/^Entry 2 .* its search text does not match its message: somebody changed that\.$/),
    ]);
  });

  test("[AUD-02] with a key or position is found", async () => {
    await recordMany(3);
    await change(2, { keyId: "0123456789abcdef" });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 2 .* the key '0123456789abcdef', which is not among AUDIT_KEYS/),
    ]);
    await startFresh();
    await recordMany(3);
    await change(3, { sequence: 9 });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 9 .* entries 3 to 8 are missing before it: removed\.$/),
      expect.stringMatching(/^Entry 9 .* not what was sealed/),
      expect.stringMatching(/^Entry 9 .* the head of the trail ends at 3/),
    ]);
  });

  test("[AUD-02] by deleting an entry is found, and later entries still count", async () => {
    await recordMany(5);
    await forget(await entry(3));
    await change(4, { message: "changed" });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 4 .* entry 3 is missing before it: removed\.$/),
      expect.stringMatching(/^Entry 4 .* not what was sealed/),
    ]);
    await startFresh();
    await recordMany(2);
    await forget(await entry(1));
    expect((await verified()).problems).toEqual([expect.stringMatching(/^Entry 2 .* entry 1 is missing before it/)]);
  });

  test("[AUD-02] by swapping two entries is found, with and without their ids", async () => {
    await recordMany(5);
    const [a, b] = [await entry(2), await entry(4)];
    await forget(a);
    await forget(b);
    await put({ ...b, id: a.id, sequence: a.sequence });
    await put({ ...a, id: b.id, sequence: b.sequence });
    const swapped = [
      expect.stringMatching(/^Entry 2 .* not what was sealed/),
      expect.stringMatching(/^Entry 4 .* not what was sealed/),
    ];
    expect((await verified()).problems).toEqual(swapped);
    await forget(await entry(2));
    await forget(await entry(4));
    await put({ ...a, sequence: b.sequence });
    await put({ ...b, sequence: a.sequence });
    expect((await verified()).problems).toEqual(swapped);
  });

  test("[AUD-02] by inserting an entry is found: without a position, at the end, or at the position of another", async () => {
    await recordMany(3);
    const row = await entry(3);
    await put({ ...row, id: 500, sequence: null });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry outside the chain \(id 500, .* it has no place in the chain: inserted\.$/),
    ]);
    await getDb().deleteFrom("auditEntries").where("id", "=", 500).execute();
    await put({ ...row, id: 500, sequence: 4, previous: row.mac });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 4 .* not what was sealed: somebody changed or inserted it/),
      expect.stringMatching(/^Entry 4 .* the head of the trail ends at 3: inserted behind it/),
    ]);
  });

  test("[AUD-02] with an entry of another history, sealed with the right key, is found at the next one", async () => {
    await recordMany(1);
    const [head, first] = [await findHead(getDb()), await entry(1)];
    await recordMany(1);
    const strange = await entry(2);
    await startFresh();
    await put(first);
    await getDb()
      .updateTable("auditHead")
      .set({ ...head })
      .execute();
    await record({ message: "What really happened." });
    await record();
    await forget(await entry(2));
    await put(strange);
    expect((await verified()).problems).toEqual([expect.stringMatching(/^Entry 2 .* another entry .*: replaced\.$/)]);
    await forget(await entry(3));
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 2 .* it is the last one, but entry 3 is missing behind it: cut off/),
    ]);
  });

  test("[AUD-02] by truncating the chain is found by its head, and by restoring an old head by its seal", async () => {
    await recordMany(5);
    await removeFrom(4);
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 3 .* entries 4 to 5 are missing behind it: cut off \(the head of the trail\)\.$/),
    ]);
    const { id, mac } = await entry(3);
    await getDb()
      .updateTable("auditHead")
      .set({ sequence: 3, entryId: id, mac: mac as Buffer })
      .execute();
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 3 .*: the head of the trail is not what was sealed: the end was cut off/),
    ]);
  });

  test("[AUD-02] by truncating the chain and restoring its old head is found by the checkpoints of the database or the file", async () => {
    await recordMany(3);
    const before = await findHead(getDb());
    await verifyAndSign();
    await recordMany(2);
    await verifyAndSign();
    const copy = `${checkpointFile()}.copy`;
    copyFileSync(checkpointFile(), copy);
    await removeFrom(4);
    await getDb()
      .updateTable("auditHead")
      .set({ ...before })
      .execute();
    const cutOff = /^Entry 3 .* entries 4 to 5 are missing behind it: cut off \(the checkpoint in .*, made 20/;
    expect((await verified()).problems).toEqual([expect.stringMatching(cutOff)]);

    await getDb().deleteFrom("auditCheckpoints").where("sequence", ">", 3).execute();
    const withFile = [
      expect.stringMatching(/^Entry 5: the checkpoint in line 2 of .* is not in the database: removed there\.$/),
      expect.stringMatching(cutOff),
    ];
    expect((await verified()).problems).toEqual(withFile);
    await expect(verifyAndSign()).rejects.toThrow(/^The audit trail is not sound \(problems: 2\)\. Entry 5: /);
    await expect(verifyWhole()).rejects.toThrow("not sound");

    rmSync(checkpointFile());
    // somebody who controls the whole machine can only be detected with a copy of the checkpoints
    expect((await verified()).problems).toEqual([]);
    expect((await verified([copy])).problems).toEqual(withFile);
    rmSync(copy);
  });
});

describe("checkpoints", () => {
  test("[AUD-02] are signed for new entries, in database and file, and can be verified with the public key", async () => {
    expect(await verifyAndSign()).toBe("no entries yet");
    await recordMany(2);
    expect(await verifyAndSign()).toBe("sound up to entry 2, 2 new, checkpoint signed");
    expect(await verifyAndSign()).toBe("sound up to entry 2, nothing new");
    await recordMany(1);
    expect(await verifyAndSign(new Date("2026-11-22T10:00:00Z"))).toBe("sound up to entry 3, 1 new, checkpoint signed");
    expect(await verifyWhole()).toBe("sound: 3 entries, 4 checkpoints");
    const lines = readFileSync(checkpointFile(), "utf8").trimEnd().split("\n");
    const last = JSON.parse(lines[1] ?? "") as Record<string, string>;
    const { id, checkpoints } = newestKey();
    expect(last).toMatchObject({ sequence: 3, at: "2026-11-22T10:00:00.000Z", keyId: id });
    const signed = JSON.stringify(["marque.audit.checkpoint.1", 3, last.at, last.mac, id]);
    const signature = Buffer.from(last.signature ?? "", "hex");
    expect(verifySignature(null, Buffer.from(signed), checkpoints.publicKey, signature)).toBe(true);
  });

  test("[AUD-02] that were changed, forged or removed are found", async () => {
    await recordMany(2);
    await verifyAndSign();
    const [checkpoint] = await listCheckpoints(getDb());
    await getDb().updateTable("auditCheckpoints").set({ at: "2020-01-01T00:00:00.000Z" }).execute();
    expect((await verified()).problems).toEqual([
      "Entry 2: the checkpoint in the database is not what was signed: changed or forged.",
    ]);
    await getDb()
      .updateTable("auditCheckpoints")
      .set({ ...checkpoint })
      .execute();
    writeFileSync(checkpointFile(), "nothing\n", { flag: "a" });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Line 2 of .*checkpoints\.jsonl is no checkpoint\.$/),
    ]);
  });

  test("[AUD-02] continue after a line that a full disk cut off", async () => {
    await recordMany(1);
    await verifyAndSign();
    writeFileSync(checkpointFile(), '{"sequence":', { flag: "a" });
    await recordMany(1);
    await verifyAndSign();
    expect(await verified()).toMatchObject({ checkpoints: 4, problems: [] });
  });

  test("[AUD-02] an entry changed before the last checkpoint is found by the full verification, a later one by every one", async () => {
    await recordMany(2);
    await verifyAndSign();
    await recordMany(2);
    await change(1, { message: "changed" });
    expect(await verifyAndSign()).toContain("sound up to entry 4");
    await expect(verifyWhole()).rejects.toThrow("Entry 1 ");
    await recordMany(1);
    await change(5, { message: "changed" });
    await expect(verifyAndSign()).rejects.toThrow("Entry 5 ");
    expect(await listCheckpoints(getDb())).toHaveLength(2);
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
    await change(2, { message: "changed" });
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
  });
});
