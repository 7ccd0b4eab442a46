import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { completePurchase } from "~/domain/certificates/purchase/completion.service.server";
import { purchaseWizard } from "~/domain/certificates/purchase/wizards.server";
import { loadDraft, startDraft } from "~/domain/drafts/drafts.service.server";
import { findUser } from "~/http/guard.server";
import { getDb } from "~db/connection.server";
import { lockDraft, updateDraft } from "~db/repositories/drafts.server";
import { insertOrder } from "~db/repositories/orders.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import {
  type Account,
  auditOf,
  consolidation,
  countsOf,
  createSeveral,
  furnish,
  merge,
  readUser,
  send,
  untouched,
} from "../support/consolidation";
import { untilOthersWait } from "../support/lock-waits";
import { usePortal } from "../support/portal";
import { signedInAs } from "../support/visitor";

usePortal();

describe("simultaneous changes", () => {
  test("[CON-03] of two merges from two of the accounts one is carried out, and the other user is logged out", async () => {
    const users = (await createSeveral({}, {}, {})) as [Account, Account, Account];
    await Promise.all(users.map(furnish));
    const before = await countsOf(...users);
    const visitors = await Promise.all(users.map(signedInAs));
    const fields = untouched(await consolidation(visitors[0] as (typeof visitors)[0]));
    const versions = await Promise.all(visitors.map(async (visitor) => (await consolidation(visitor)).version));
    const answers = await Promise.all(
      visitors.map((visitor, index) => send(visitor, { ...fields, version: versions[index] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);

    const winner = users[answers.findIndex(({ status }) => status === 303)] as Account;
    const losers = users.filter(({ id }) => id !== winner.id);
    for (const { id } of losers) expect(await readUser(id)).toMatchObject({ mergedInto: winner.id, isDisabled: true });
    expect(await readUser(winner.id)).toMatchObject({ mergedInto: null, isDisabled: false });
    expect(await countsOf(winner)).toEqual({ ...before, settings: 4 });
    for (const [index, { id }] of users.entries())
      expect((await findUser((visitors[index] as (typeof visitors)[0]).get("/")))?.id).toBe(
        id === winner.id ? id : undefined,
      );
  });

  test("[CON-03] the same form sent twice merges once, and both answers continue", async () => {
    const [own, second] = (await createSeveral({}, {})) as [Account, Account];
    const visitor = await signedInAs(own);
    const fields = untouched(await consolidation(visitor));
    const answers = await Promise.all([send(visitor, fields), send(visitor, fields), send(visitor, fields)]);
    for (const answer of answers) expect(answer.headers.get("Location")).toBe("/home/dashboard");
    expect((await auditOf(own.id)).map(({ event }) => event)).toEqual([
      "account.merged",
      "company.merged",
      "company.merged",
    ]);
    expect((await auditOf(second.id)).map(({ event }) => event)).toEqual(["account.closed-by-merge"]);
  });

  test("[CON-03] a merge waits for an order that is being stored and takes it over", async () => {
    const [own, second] = (await createSeveral({}, {})) as [Account, Account];
    const { orderIds } = await furnish(second);
    const sample = await getDb()
      .selectFrom("orders")
      .selectAll()
      .where("id", "=", orderIds[0] ?? 0)
      .executeTakeFirstOrThrow();
    const draft = await startDraft(purchaseWizard, second.id);
    const visitor = await signedInAs(own);
    const fields = untouched(await consolidation(visitor));

    let hasDraft = () => {};
    const locked = new Promise<void>((resolve) => (hasDraft = resolve));
    const ordering = inTransaction(async (trx) => {
      const held = await lockDraft(trx, { id: draft, userId: second.id, kind: purchaseWizard.kind });
      hasDraft();
      await untilOthersWait(); // the merge begins now and waits
      const { id: _, ...order } = sample;
      const orderId = await insertOrder(trx, {
        ...order,
        draftId: draft,
        isNotified: null,
        vatNumberChecked: null,
        isMaintenance: false,
      });
      await updateDraft(trx, draft, { data: "{}", orderId });
      return held && orderId;
    });
    await locked;
    const [orderId, response] = await Promise.all([ordering, send(visitor, fields)]);
    expect(response.status).toBe(303);
    const order = await getDb()
      .selectFrom("orders")
      .select("userId")
      .where("id", "=", orderId ?? 0)
      .executeTakeFirst();
    expect(order?.userId).toBe(own.id);
    expect(await countsOf(second)).toMatchObject({ orders: 0, drafts: 0 });
  });

  test("[CON-03] a merge waits for a change of details that is being saved and shows it before the decision", async () => {
    const [own, second] = (await createSeveral({}, {})) as [Account, Account];
    const visitor = await signedInAs(own);
    const fields = untouched(await consolidation(visitor));
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => (isWritten = resolve));
    const saving = inTransaction(async (trx) => {
      await updateUser(trx, second.id, { position: "Director" });
      isWritten();
      await untilOthersWait(); // the merge begins now and waits
    });
    await written;
    const [, response] = await Promise.all([saving, send(visitor, fields)]);
    expect(response.status).toBe(422);
    expect(await readUser(second.id)).toMatchObject({ mergedInto: null, position: "Director" });
  });

  test("[CON-03] an order of a closed account's user is not stored, and its draft belongs to the surviving account", async () => {
    const [own, second] = (await createSeveral({}, {})) as [Account, Account];
    const draft = await startDraft(purchaseWizard, second.id);
    const loaded = await loadDraft(purchaseWizard, second.id, draft);
    const open = loaded && { draft: loaded, original: null };
    const user = await findSessionUser({ id: second.id, epoch: 0 });
    await merge(await signedInAs(own));
    const typed = { name: "x" };
    expect(user && open && (await completePurchase(user, open, { typed, form: {} as never, seen: "" }))).toBeNull();
    expect(await countsOf(second)).toMatchObject({ orders: 0, certificates: 0, drafts: 0 });
    expect(await loadDraft(purchaseWizard, own.id, draft)).not.toBeNull();
  });

  test("[CON-03] a merge that fails half-way changes nothing", async () => {
    const [own, second] = (await createSeveral({}, {})) as [Account, Account];
    await furnish(second);
    const before = await countsOf(second);
    const visitor = await signedInAs(own);
    const fields = untouched(await consolidation(visitor));
    await sql`alter table audit_entries rename to audit_entries_away`.execute(getDb());
    await expect(send(visitor, fields)).rejects.toThrow();
    await sql`alter table audit_entries_away rename to audit_entries`.execute(getDb());
    expect(await countsOf(second)).toEqual(before);
    expect(await readUser(second.id)).toMatchObject({ mergedInto: null, isDisabled: false });
  });
});
