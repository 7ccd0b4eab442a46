import { beforeEach, describe, expect, test } from "vitest";
import { newestKey } from "~/domain/audit/chain-keys.server";
import { verifyAndSign, verifyWhole } from "~/domain/audit/checkpoint.service.server";
import { commitmentTo, entryMac, erasedSealOf } from "~/domain/audit/seals.server";
import { getDb } from "~db/connection.server";
import { type AuditRow } from "~db/repositories/audit-chain.server";
import { record, recordMany, tamperWith, useEmptyTrail, entryAt, verified } from "../support/audit";
import { erase } from "../support/erasure";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();
useEmptyTrail();

const ADDRESS = "192.0.2.9";
let person: Awaited<ReturnType<typeof createUser>>;
let before: AuditRow;

/** Entries 1 to 4: one of others, one by the person, one that names the person, one of others. Entry 5 is the erasure. */
beforeEach(async () => {
  person = await createUser({ email: "ludmilla@zwoelfender.example", username: `ludmilla-${Date.now()}` });
  await recordMany(1);
  await record({
    actor: { id: person.id, name: person.email, client: { address: ADDRESS, userAgent: "" } },
    userId: person.id,
  });
  await record({ message: `Invited ${person.email} as Reader.`, userId: null });
  await recordMany(1);
  await verifyAndSign();
  before = await entryAt(2);
  await erase(person);
  await getDb()
    .updateTable("users")
    .set({ email: `gone-${person.id}@erased.invalid` })
    .where("id", "=", person.id)
    .execute();
});

const NOT_LEFT = /: it is not what the erasure of a person left: somebody changed it\.$/;

describe("the audit trail after an erasure", () => {
  test("[AUD-02] has the pseudonym in place of the data, is sound, and continues", async () => {
    const pseudonym = `Erased person ${person.id}`;
    expect(await entryAt(2)).toMatchObject({ actorName: pseudonym, address: null, salt: null, mac: before.mac });
    expect(await entryAt(3)).toMatchObject({
      actorName: "anna@example.org",
      message: `Invited ${pseudonym} as Reader.`,
    });
    expect((await entryAt(4)).salt).not.toBeNull();
    expect(await entryAt(5)).toMatchObject({ event: "account.erased", userId: person.id });
    expect(await verified()).toMatchObject({ entries: 5, checkpoints: 2, problems: [] });
    await recordMany(2);
    expect(await verifyAndSign()).toBe("sound up to entry 7, 3 new, checkpoint signed");
    expect(await verifyWhole()).toBe("sound: 7 entries, 4 checkpoints");
  });

  test("[AUD-02] no longer has the commitment's salt, without which the data cannot be tried out", async () => {
    const { salt, commitment } = before;
    const guess = { actorName: person.email, message: "Something happened.", address: ADDRESS };
    expect(commitmentTo(salt as Buffer, guess).equals(commitment as Buffer)).toBe(true);
    expect((await entryAt(2)).commitment).toEqual(commitment);
    const { rows } = await getDb()
      .selectFrom("auditEntries")
      .selectAll()
      .execute()
      .then((all) => ({ rows: all }));
    expect(rows.some((row) => row.salt?.equals(salt as Buffer))).toBe(false);
  });

  test.each([
    ["actorName", "Erased person 9"],
    ["message", "Nothing happened."],
    ["address", "192.0.2.1"],
    ["event", "test.other"],
    ["userId", 99],
    ["commitment", Buffer.alloc(32)],
    ["mac", Buffer.alloc(32)],
    ["erasedSeal", Buffer.alloc(32)],
  ] as const)("[AUD-02] shows that somebody changed %s of an erased entry", async (field, value) => {
    await tamperWith(2, { [field]: value });
    expect((await verified()).problems).toEqual([expect.stringMatching(/^Entry 2 /)]);
    expect((await verified()).problems[0]).toMatch(NOT_LEFT);
  });

  test("[AUD-02] shows that somebody removed a salt, or personal data with it, without an erasure", async () => {
    await tamperWith(4, { salt: null });
    const missing = /^Entry 4 .*: the salt of its personal data is missing, and no erasure has sealed that/;
    expect((await verified()).problems).toEqual([expect.stringMatching(missing)]);
    await tamperWith(4, { actorName: "Erased person 9", message: "", address: null });
    expect((await verified()).problems).toEqual([expect.stringMatching(missing)]);
    await expect(verifyWhole()).rejects.toThrow("not sound");
  });

  test("[AUD-02] shows that somebody with the keys erased an entry that no erasure lists, or added it to a list", async () => {
    const row = { ...(await entryAt(4)), actorName: "Erased person 9", salt: null };
    await tamperWith(4, { ...row, erasedSeal: erasedSealOf(newestKey(), row) });
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 4 .*: its personal data is erased, but no erasure of a person lists it\.$/),
    ]);
    await getDb().insertInto("auditErasures").values({ userId: person.id, entryId: row.id }).execute();
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 5 .*: the list of the entries that it erased is not what was sealed: changed\.$/),
    ]);
    await getDb().updateTable("auditErasures").set({ userId: 99 }).where("entryId", "=", row.id).execute();
    expect((await verified()).problems).toEqual([
      "Entries of account 99 are erased, but no entry of the trail says so.",
    ]);
  });

  test("[AUD-02] shows that erased data was put back, and that the list of an erasure was removed", async () => {
    await tamperWith(2, before);
    expect((await verified()).problems).toEqual([
      expect.stringMatching(
        new RegExp(`^Entry 2 .*: it was erased with the data of account ${person.id}, and has been put back\\.$`),
      ),
    ]);
    await getDb().deleteFrom("auditErasures").where("entryId", "=", before.id).execute();
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 5 .* is not what was sealed: changed\.$/),
    ]);
    await getDb().deleteFrom("auditErasures").execute();
    expect((await verified()).problems).toEqual([
      expect.stringMatching(/^Entry 3 .*: its personal data is erased, but no erasure of a person lists it\.$/),
    ]);
  });
});

test("[AUD-02] an entry about two persons is erased for both, one after the other", async () => {
  const other = await createUser({ email: "olaf@zwoelfender.example", username: `olaf-${Date.now()}` });
  await record({ actor: { id: other.id, name: other.email }, message: `Wrote to ${other.email}, a former colleague.` });
  const another = await createUser({ email: "petra@zwoelfender.example", username: `petra-${Date.now()}` });
  await record({ actor: { id: other.id, name: other.email }, message: `Wrote to ${another.email}.` });
  await erase(another);
  await erase(other);
  const entry = await entryAt(7);
  expect(entry).toMatchObject({
    actorName: `Erased person ${other.id}`,
    message: `Wrote to Erased person ${another.id}.`,
  });
  expect((await verified()).problems).toEqual([]);
});

test("[AUD-02] an entry with the seal of before the commitments is erased too, and its place in the chain stays proved", async () => {
  const old = await createUser({ email: "viktor@zwoelfender.example", username: `viktor-${Date.now()}` });
  await record({
    actor: { id: old.id, name: old.email },
    reference: old.email,
    message: `${old.email} wants no messages.`,
  });
  const { salt: _, ...row } = await entryAt(6);
  const former = { ...row, salt: null, commitment: null };
  const mac = entryMac(newestKey(), former);
  await tamperWith(6, { ...former, mac });
  const head = await getDb().selectFrom("auditHead").selectAll().executeTakeFirstOrThrow();
  const { headSeal } = await import("~/domain/audit/seals.server");
  await getDb()
    .updateTable("auditHead")
    .set({ mac, seal: headSeal(newestKey(), { ...head, mac }) })
    .execute();
  await recordMany(1);
  expect((await verified()).problems).toEqual([]);
  await erase(old);
  expect(await entryAt(6)).toMatchObject({ actorName: `Erased person ${old.id}`, reference: null, mac });
  expect((await verified()).problems).toEqual([]);
  await tamperWith(6, { event: "test.other" });
  expect((await verified()).problems).toEqual([expect.stringMatching(NOT_LEFT)]);
});

test("[AUD-02] nothing is erased while an entry of the person is not what was sealed", async () => {
  const other = await createUser({ email: "quirin@zwoelfender.example", username: `quirin-${Date.now()}` });
  await record({ actor: { id: other.id, name: other.email }, message: "Something happened." });
  await tamperWith(6, { message: "Nothing happened." });
  await expect(erase(other)).rejects.toThrow(
    /^The entry 6 of the audit trail cannot be verified, so nothing was erased/,
  );
  const row = await getDb().selectFrom("users").select("erasedAt").where("id", "=", other.id).executeTakeFirstOrThrow();
  expect(row.erasedAt).toBeNull();
});
