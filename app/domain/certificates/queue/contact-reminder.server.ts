import { type SessionUser } from "~/domain/accounts/session-user";
import { DAY, formatDateTime } from "~/lib/dates";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { findOrderPlacer } from "~db/repositories/audit-entries.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findContactStop } from "~db/repositories/held-mails.server";
import { findUserById } from "~db/repositories/users.server";
import { countContactRequests, requestAuthorisation } from "./authorisation-request.server";
import { REFUSED } from "./checks.policy";
import { whyNotAuthorised } from "./four-eyes.server";
import { isOpenOrder, notOpen } from "./order-decision.policy";
import { recordOrderWork } from "./order-work.service.server";
import { type OrderAct } from "./selected-orders.server";

/** Why the contact of an order is not reminded now. */
export interface ReminderBarrier {
  /** The sentence for staff. */
  staff: string;
  /** The sentence for members of the customer's company. */
  member: string;
  /** When the contact can be asked again, an ISO timestamp, if only the time has to pass. */
  from?: string;
}

const forBoth = (text: string): ReminderBarrier => ({ staff: text, member: text });

const askedToday = (from: string): ReminderBarrier => ({
  staff: "The contact was asked within the last 24 hours.",
  member: `The contact was asked within the last 24 hours. You can send the message again from ${formatDateTime(from)} UTC.`,
  from,
});

/** Returns why the authentication contact of an order is not reminded now, or null. */
export async function whyNotReminded(db: DbOrTrx, row: CertificateRow, now: Date): Promise<ReminderBarrier | null> {
  if (!isOpenOrder(row)) return forBoth(notOpen(row).message);
  if (row.contactAnswer === "refused") return forBoth(REFUSED);
  if (row.contactAnswer !== null) return forBoth("The contact has authorised the order.");
  const owner = await findUserById(db, row.userId);
  if (!owner?.emailVerifiedAt)
    return {
      staff: "The customer has not confirmed their own email address. The contact is asked then.",
      member: "The contact is asked as soon as the person who ordered has confirmed their own email address.",
    };
  if (await findContactStop(db, row.authenticationEmail))
    return {
      staff: "The contact wants no messages from us.",
      member: "The contact wants no messages from us. Name another contact, or contact us.",
    };
  const barrier = await whyNotAuthorised(db, row);
  if (barrier) return { staff: barrier, member: "This contact cannot authorise the order. Name another contact." };
  const asked = await countContactRequests(db, row);
  const again = asked ? Date.parse(asked.last) + DAY : 0;
  return now.getTime() < again ? askedToday(new Date(again).toISOString()) : null;
}

/** Sends the request to authorise again, with a new link. */
export async function remindContact(trx: Trx, row: CertificateRow, user: SessionUser, now: Date): Promise<void> {
  const placer = await findOrderPlacer(trx, row.orderId);
  const askedOn = (await countContactRequests(trx, row))?.first ?? row.requestedAt;
  const request = { certificateId: row.id, clientName: placer?.clientName ?? null, askedOn };
  await requestAuthorisation(trx, request, now);
  const message = `Reminded ${row.authenticationEmail} to authorise the order.`;
  await recordOrderWork(trx, row, { user, event: "certificate.contact-reminded", message }, now);
}

/**
 * Sends the request to authorise again to the contact of an order, with a new link; links of earlier requests stay valid. A contact is asked
 * about an order at most once in 24 hours.
 */
export const REMIND_CONTACTS: OrderAct = {
  code: "certificate.not-reminded",
  whyNot: async (db, row, _user, now) => (await whyNotReminded(db, row, now))?.staff ?? null,
  perform: remindContact,
};
