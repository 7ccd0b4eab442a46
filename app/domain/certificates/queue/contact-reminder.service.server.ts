import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { DAY } from "~/lib/dates";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { findOrderPlacer } from "~db/repositories/audit-entries.server";
import { type CertificateRow, listCertificatesById } from "~db/repositories/certificates.server";
import { findContactStop } from "~db/repositories/held-mails.server";
import { listLastMails } from "~db/repositories/mails.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { findUserById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { requestAuthorisation } from "./authorisation-request.server";
import { namedOrder, type NamedOrder, type RefusedOrder, requireSelection } from "./bulk-approval.service.server";
import { REFUSED } from "./checks.policy";
import { whyNotAuthorised } from "./four-eyes.server";
import { isOpenOrder, notOpen } from "./order-decision.policy";
import { recordOrderWork } from "./order-work.service.server";

const ASKED_TODAY = "The contact was asked within the last 24 hours.";

/** Returns why the authentication contact of an order is not reminded now, or null. */
async function whyNotReminded(db: DbOrTrx, row: CertificateRow, now: Date) {
  if (!isOpenOrder(row)) return notOpen(row).message;
  if (row.contactAnswer === "refused") return REFUSED;
  if (row.contactAnswer !== null) return "The contact has authorised the order.";
  const owner = await findUserById(db, row.userId);
  if (!owner?.emailVerifiedAt)
    return "The customer has not confirmed their own email address. The contact is asked then.";
  if (await findContactStop(db, row.authenticationEmail)) return "The contact wants no messages from us.";
  const barrier = await whyNotAuthorised(db, row);
  if (barrier) return barrier;
  const last = (await listLastMails(db, "authorisation-request", [row.orderId])).get(row.orderId);
  return last !== undefined && now.getTime() - Date.parse(last) < DAY ? ASKED_TODAY : null;
}

const notReminded = (order: NamedOrder, reason: string): RefusedOrder => ({
  ...order,
  reason,
  code: "certificate.not-reminded",
});

/**
 * Returns which of the selected orders wait for an authentication contact who can be reminded now, and why the others do not. Changes
 * nothing. Throws what `requireSelection` throws, and a PortalError (403) when the user's rights do not allow it.
 */
export async function checkReminders(ids: readonly number[], user: SessionUser, now = new Date()) {
  const selected = requireSelection(ids);
  await requireTask(getDb(), user.actor, "work-on-orders");
  const ready: NamedOrder[] = [];
  const refused: RefusedOrder[] = [];
  for (const row of await listCertificatesById(getDb(), selected)) {
    const reason = await whyNotReminded(getDb(), row, now);
    if (reason === null) ready.push(namedOrder(row));
    else refused.push(notReminded(namedOrder(row), reason));
  }
  return { ready, refused };
}

/**
 * Sends the request to authorise again to the contacts of the selected orders, each with a new link; links of earlier requests stay valid.
 * A contact is asked about an order at most once in 24 hours. Returns whose contacts were reminded, and why the others were not. Throws
 * what `checkReminders` throws.
 */
export async function remindContacts(ids: readonly number[], user: SessionUser, now = new Date()) {
  const reminded: NamedOrder[] = [];
  const refused: RefusedOrder[] = [];
  // One transaction for each order, so that others need not wait for all of them.
  for (const id of requireSelection(ids)) {
    const outcome = await inTransaction(async (trx) => {
      await requireTask(trx, user.actor, "work-on-orders");
      const row = await lockCertificate(trx, id);
      if (!row) return null;
      const reason = await whyNotReminded(trx, row, now);
      if (reason === null) await remind(trx, row, user, now);
      return { order: namedOrder(row), reason };
    });
    if (outcome?.reason === null) reminded.push(outcome.order);
    else if (outcome) refused.push(notReminded(outcome.order, outcome.reason));
  }
  return { reminded, refused };
}

async function remind(trx: Trx, row: CertificateRow, user: SessionUser, now: Date): Promise<void> {
  const placer = await findOrderPlacer(trx, row.orderId);
  await requestAuthorisation(
    trx,
    { certificateId: row.id, clientName: placer?.clientName ?? null, isReminder: true },
    now,
  );
  const message = `Reminded ${row.authenticationEmail} to authorise the order.`;
  await recordOrderWork(trx, row, { user, event: "certificate.contact-reminded", message }, now);
}
