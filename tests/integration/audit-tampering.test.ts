import { copyFileSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkpointFile } from "~/domain/audit/checkpoint-file.server";
import { verifyAndSign, verifyWhole } from "~/domain/audit/checkpoint.service.server";
import { getDb } from "~db/connection.server";
import { type AuditRow, findHead } from "~db/repositories/audit-chain.server";
import { record, recordMany, verified, emptyTrail, useEmptyTrail, entryAt, tamperWith } from "../support/audit";
import { usePortal } from "../support/portal";

usePortal();
useEmptyTrail();

const removeFrom = (sequence: number) => getDb().deleteFrom("auditEntries").where("sequence", ">=", sequence).execute();
const forget = (row: AuditRow) => getDb().deleteFrom("auditEntries").where("id", "=", row.id).execute();
const put = (row: AuditRow) => getDb().insertInto("auditEntries").values(row).execute();

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
    address: "192.0.2.1",
    previous: Buffer.alloc(32),
    mac: Buffer.alloc(32),
  };

  test.each(Object.keys(other) as (keyof AuditRow)[])(
    "[AUD-02] with a changed %s is found at its entry",
    async (field) => {
      for (let index = 0; index < 3; index += 1) await record();
      await tamperWith(2, { [field]: other[field] });
      const { id, at } = await entryAt(2);
      const moment = `${at.slice(0, 19).replace("T", " ")}Z`;
      expect((await verified()).problems).toEqual([
        `Entry 2 (id ${id}, ${moment}): it is not what was sealed: somebody changed or inserted it.`,
      ]);
    },
  );

  test("[AUD-02] with another address, or without the one it had, is found at its entry", async () => {
    const actor = { id: 1, name: "anna", client: { address: "192.0.2.7", userAgent: "" } };
    for (let index = 0; index < 3; index += 1) await record({ actor });
    expect((await entryAt(1)).address).toBe("192.0.2.7");
    expect((await verified()).problems).toEqual([]);
    await tamperWith(1, { address: "192.0.2.8" });
    await tamperWith(3, { address: null });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 1 .* it is not what was sealed/),
      expect.stringMatching(/^Entry 3 .* it is not what was sealed/),
    ]);
  });

  test("[AUD-02] so that searches miss an entry by its own message is found", async () => {
    await record({ message: "Company changed to Łódź." });
    await record({ message: "Company changed to Lodz." });
    expect((await entryAt(1)).searchText).toBe("company changed to lodz.");
    expect((await entryAt(2)).searchText).toBeNull();
    expect((await verified()).problems).toEqual([]);
    for (const place of [1, 2]) await tamperWith(place, { searchText: "nothing" });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 1 .* its search text does not match its message: somebody changed that\.$/),
      expect.stringMatching(/^Entry 2 .* its search text does not match its message: somebody changed that\.$/),
    ]);
  });

  test("[AUD-02] with a key or position is found", async () => {
    await recordMany(3);
    await tamperWith(2, { keyId: "0123456789abcdef" });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 2 .* the key '0123456789abcdef', which is not among AUDIT_KEYS/),
    ]);
    await emptyTrail();
    await recordMany(3);
    await tamperWith(3, { sequence: 9 });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 9 .* entries 3 to 8 are missing before it: removed\.$/),
      expect.stringMatching(/^Entry 9 .* not what was sealed/),
      expect.stringMatching(/^Entry 9 .* the head of the trail ends at 3/),
    ]);
  });

  test("[AUD-02] by deleting an entry is found, and later entries still count", async () => {
    await recordMany(5);
    await forget(await entryAt(3));
    await tamperWith(4, { message: "changed" });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 4 .* entry 3 is missing before it: removed\.$/),
      expect.stringMatching(/^Entry 4 .* not what was sealed/),
    ]);
    await emptyTrail();
    await recordMany(2);
    await forget(await entryAt(1));
    expect((await verified()).problems).toEqual([expect.stringMatching(/^Entry 2 .* entry 1 is missing before it/)]);
  });

  test("[AUD-02] by swapping two entries is found, with and without their ids", async () => {
    await recordMany(5);
    const [a, b] = [await entryAt(2), await entryAt(4)];
    await forget(a);
    await forget(b);
    await put({ ...b, id: a.id, sequence: a.sequence });
    await put({ ...a, id: b.id, sequence: b.sequence });
    const swapped = [
      expect.stringMatching(/^Entry 2 .* not what was sealed/),
      expect.stringMatching(/^Entry 4 .* not what was sealed/),
    ];
    expect((await verified()).problems).toEqual(swapped);
    await forget(await entryAt(2));
    await forget(await entryAt(4));
    await put({ ...a, sequence: b.sequence });
    await put({ ...b, sequence: a.sequence });
    expect((await verified()).problems).toEqual(swapped);
  });

  test("[AUD-02] by inserting an entry is found: without a position, at the end, or at the position of another", async () => {
    await recordMany(3);
    const row = await entryAt(3);
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
    const [head, first] = [await findHead(getDb()), await entryAt(1)];
    await recordMany(1);
    const strange = await entryAt(2);
    await emptyTrail();
    await put(first);
    await getDb()
      .updateTable("auditHead")
      .set({ ...head })
      .execute();
    await record({ message: "What really happened." });
    await record();
    await forget(await entryAt(2));
    await put(strange);
    expect((await verified()).problems).toEqual([expect.stringMatching(/^Entry 2 .* another entry .*: replaced\.$/)]);
    await forget(await entryAt(3));
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
    const { id, mac } = await entryAt(3);
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
