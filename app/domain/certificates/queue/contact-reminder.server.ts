import { type SessionUser } from "~/domain/accounts/session-user";
import { DAY } from "~/lib/dates";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { findOrderPlacer } from "~db/repositories/audit-entries.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findContactStop } from "~db/repositories/held-mails.server";
import { countContactMails } from "~db/repositories/mails.server";
import { findUserById } from "~db/repositories/users.server";
import { REQUEST_MAIL, requestAuthorisation } from "./authorisation-request.server";
import { REFUSED } from "./checks.policy";
import { whyNotAuthorised } from "./four-eyes.server";
import { isOpenOrder, notOpen } from "./order-decision.policy";
import { recordOrderWork } from "./order-work.service.server";
import { type OrderAct } from "./selected-orders.server";

const ASKED_TODAY = "The contact was asked within the last 24 hours.";

/** Returns the requests that went to the present contact of an order, or undefined when there is none. */
export const countContactRequests = async (db: DbOrTrx, { orderId }: CertificateRow) =>
  (await countContactMails(db, REQUEST_MAIL, [orderId])).get(orderId);

/** Returns why the authentication contact of an order is not reminded now, or null. */
export async function whyNotReminded(db: DbOrTrx, row: CertificateRow, now: Date): Promise<string | null> {
  if (!isOpenOrder(row)) return notOpen(row).message;
  if (row.contactAnswer === "refused") return REFUSED;
  if (row.contactAnswer !== null) return "The contact has authorised the order.";
  const owner = await findUserById(db, row.userId);
  if (!owner?.emailVerifiedAt)
    return "The customer has not confirmed their own email address. The contact is asked then.";
  if (await findContactStop(db, row.authenticationEmail)) return "The contact wants no messages from us.";
  const barrier = await whyNotAuthorised(db, row);
  if (barrier) return barrier;
  const asked = await countContactRequests(db, row);
  return asked && now.getTime() - Date.parse(asked.last) < DAY ? ASKED_TODAY : null;
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
  whyNot: (db, row, _user, now) => whyNotReminded(db, row, now),
  perform: remindContact,
};
