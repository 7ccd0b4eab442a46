import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type CertificateRow, listCertificatesById } from "~db/repositories/certificates.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { namedOrder, type NamedOrder, type RefusedOrder, requireSelection } from "./bulk-approval.service.server";
import { isOpenOrder, notOpen } from "./order-decision.policy";
import { assignOrder, nameOfStaff } from "./order-work.service.server";

/** Returns why this user cannot take an order together with others, or null. To take over an order, its own page asks. */
async function whyNotTaken(db: DbOrTrx, row: CertificateRow, user: SessionUser): Promise<string | null> {
  if (!isOpenOrder(row)) return notOpen(row).message;
  if (row.assignedTo === null) return null;
  if (row.assignedTo === user.id) return "You work on it already.";
  return `${await nameOfStaff(db, row.assignedTo)} works on it. You can take it over on its own page.`;
}

const notTaken = (order: NamedOrder, reason: string): RefusedOrder => ({
  ...order,
  reason,
  code: "certificate.not-taken",
});

/**
 * Returns which of the selected orders nobody works on, and why the others cannot be taken. Changes nothing. Throws what `requireSelection`
 * throws, and a PortalError (403) when the user's rights do not allow it.
 */
export async function checkTaking(ids: readonly number[], user: SessionUser) {
  const selected = requireSelection(ids);
  await requireTask(getDb(), user.actor, "work-on-orders");
  const ready: NamedOrder[] = [];
  const refused: RefusedOrder[] = [];
  for (const row of await listCertificatesById(getDb(), selected)) {
    const reason = await whyNotTaken(getDb(), row, user);
    if (reason === null) ready.push(namedOrder(row));
    else refused.push(notTaken(namedOrder(row), reason));
  }
  return { ready, refused };
}

/**
 * Makes this user the one who works on the selected orders that nobody has. Returns which were taken, and why the others were not. Throws
 * what `checkTaking` throws.
 */
export async function takeOrders(ids: readonly number[], user: SessionUser, now = new Date()) {
  const taken: NamedOrder[] = [];
  const refused: RefusedOrder[] = [];
  // One transaction for each order, so that others need not wait for all of them.
  for (const id of requireSelection(ids)) {
    const outcome = await inTransaction(async (trx) => {
      await requireTask(trx, user.actor, "work-on-orders");
      const row = await lockCertificate(trx, id);
      if (!row) return null;
      const reason = await whyNotTaken(trx, row, user);
      if (reason === null) await assignOrder(trx, row, user, now);
      return { order: namedOrder(row), reason };
    });
    if (outcome?.reason === null) taken.push(outcome.order);
    else if (outcome) refused.push(notTaken(outcome.order, outcome.reason));
  }
  return { taken, refused };
}
