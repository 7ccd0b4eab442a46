import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { importRegister } from "~/domain/codes/register-file/import.service.server";
import { getDb, type Trx } from "~db/connection.server";
import { findCode, findCodeByName } from "~db/repositories/codes.server";
import { lockUser, updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { begin, codeIn, ENTITY, send, update } from "../support/code-details";
import { createAvailableCodes, createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { countLockWaits } from "../support/lock-waits";
import { usePortal } from "../support/portal";
import { signedInAs } from "../support/visitor";

usePortal();

const folder = mkdtempSync(join(tmpdir(), "marque-codes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let owner: Awaited<ReturnType<typeof createUser>>;
beforeEach(async () => (owner = await createUser({ company: "Former Parts" })));

/** Runs `work` while a transaction renames the account. The transaction ends when `work` has ended or waits for it. */
async function whileRenamed<T>(work: () => Promise<T>): Promise<T> {
  let running: Promise<T> | undefined;
  await inTransaction(async (trx: Trx) => {
    await lockUser(trx, owner.id);
    await updateUser(trx, owner.id, { company: "Latter Parts" }, new Date());
    await refreshOwnersCodes(trx, owner.id);
    let hasEnded = false;
    running = work().finally(() => (hasEnded = true));
    await vi.waitUntil(async () => hasEnded || (await countLockWaits()) > 0, { timeout: 20_000, interval: 20 });
  });
  return running as Promise<T>;
}

const FOUND_BY = { sortCompany: "latter parts", searchText: expect.stringContaining("latter parts") as unknown };

describe("[SRC-01] while the account of the owner is renamed", () => {
  test("a newly registered code is found by the new name", async () => {
    const visitor = await signedInAs(owner);
    await createAvailableCodes(owner, "Full", 1);
    const form = await begin(visitor, { type: "Full" });
    expect(await codeIn(await whileRenamed(() => send(visitor, form, ENTITY)))).toMatchObject(FOUND_BY);
  });

  test("a changed code is found by both new names", async () => {
    const { id } = await createCode(owner);
    const visitor = await signedInAs(owner);
    expect((await whileRenamed(() => update(visitor, id, { entityName: "Latter Plant" }))).status).toBe(303);
    expect(await findCode(getDb(), id)).toMatchObject({ ...FOUND_BY, sortEntity: "latter plant" });
  });

  test("imported codes are found by the new name", async () => {
    const file = join(folder, "register.csv");
    writeFileSync(file, `owner,code,codeType,entityName\n${owner.username},9ABC,Full,Plant`);
    const nothing = () => undefined;
    const options = { file, dryRun: false, actor: systemActor("test"), onProblem: nothing, onExisting: nothing };
    expect(await whileRenamed(() => importRegister(options))).toMatchObject({ bad: 0, imported: 1 });
    expect(await findCodeByName(getDb(), "9ABC", "")).toMatchObject(FOUND_BY);
  });
});
