import { verify as verifySignature } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { newestKey } from "~/domain/audit/chain-keys.server";
import { checkpointFile } from "~/domain/audit/checkpoint-file.server";
import { verifyAndSign, verifyWhole } from "~/domain/audit/checkpoint.service.server";
import { getDb } from "~db/connection.server";
import { listCheckpoints } from "~db/repositories/audit-chain.server";
import { recordMany, verified, useEmptyTrail, tamperWith } from "../support/audit";
import { usePortal } from "../support/portal";

usePortal();
useEmptyTrail();

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
    expect(last).toMatchObject({ sequence: 3, at: "2026-11-22T10:00:00.000Z", keyId: id, firstSequence: 3 });
    const signed = JSON.stringify(["marque.audit.checkpoint.2", 3, last.at, last.mac, id, 3, last.root]);
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
    await tamperWith(1, { message: "changed" });
    expect(await verifyAndSign()).toContain("sound up to entry 4");
    await expect(verifyWhole()).rejects.toThrow("Entry 1 ");
    await recordMany(1);
    await tamperWith(5, { message: "changed" });
    await expect(verifyAndSign()).rejects.toThrow("Entry 5 ");
    expect(await listCheckpoints(getDb())).toHaveLength(2);
  });
});
