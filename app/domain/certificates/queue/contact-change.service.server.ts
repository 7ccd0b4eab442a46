import { isDeepStrictEqual } from "node:util";
import { listStaffPersons } from "~/domain/accounts/former-details.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireMember } from "~/domain/companies/membership.server";
import { mayFor, requireRole } from "~/domain/companies/roles.policy";
import { type Typed } from "~/domain/drafts/typed-values";
import { consumeTry } from "~/domain/limits/tries.server";
import { orderNumber } from "~/domain/orders/order-number";
import { notFound, PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { findOrderPlacer, listOrderActors } from "~db/repositories/audit-entries.server";
import { type CertificateRow, storeOtherContact } from "~db/repositories/certificates.server";
import { findCountry } from "~db/repositories/countries.server";
import { dropOrderMails } from "~db/repositories/mails.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { endTokensAbout } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { getCertificateOfOrder } from "../catalogue/of-order.service.server";
import { CONTACT_REFUSED, type ContactRules, failedCriteria } from "../purchase/contact.policy";
import { type Contact, parseContact } from "../purchase/contact.schema";
import { requireContact, rulesAmong } from "../purchase/contact.service.server";
import { contactColumns } from "../purchase/rows.server";
import { contactValues } from "../succession/renewal.service.server";
import { requestAuthorisation, REQUEST_MAIL } from "./authorisation-request.server";
import { REFUSED } from "./checks.policy";
import { remindContact, whyNotReminded } from "./contact-reminder.server";
import { CONTACT_CHANGED, PLACED } from "./four-eyes.server";
import { isOpenOrder, NOT_OPEN, outcomeOf } from "./order-decision.policy";
import { recordOrderWork } from "./order-work.service.server";

/** What members of the customer's company do about the authentication contact of a pending order. */

const refusal = (message: string, code: string) => new PortalError(message, { code, status: 409 });

/** Returns the error that says why the contact of an order cannot be changed any more, or null. */
function whyNotChanged(row: CertificateRow): PortalError | null {
  if (!isOpenOrder(row)) return refusal(outcomeOf(row), NOT_OPEN);
  if (row.contactAnswer === null) return null;
  return row.contactAnswer === "refused"
    ? refusal(`${REFUSED} Cancel it, and order again with another contact.`, "certificate.contact-answered")
    : refusal("The authentication contact has authorised the order already.", "certificate.contact-answered");
}

/** Returns whether this user may ask the contact of an order again, or name another one, now. */
export const mayChangeContact = (user: SessionUser, row: CertificateRow): boolean =>
  mayFor(user, row, "place-orders") && whyNotChanged(row) === null;

/** Returns the rules for the contact of a placed order: whoever took part in it is none. */
async function rulesOfOrder(db: DbOrTrx, user: SessionUser, row: CertificateRow): Promise<ContactRules> {
  const actors = (await listOrderActors(db, [row], PLACED)).filter(({ event }) => PLACED.includes(event));
  const staff = new Set((await listStaffPersons(db)).map(({ id }) => id));
  const ids = [row.userId, ...actors.flatMap((actor) => actor.ids)];
  return rulesAmong(user, {
    others: ids.filter((id) => !staff.has(id)),
    acting: ids.filter((id) => staff.has(id)),
  });
}

/** What the page shows on which a member names another contact. */
export interface ContactChange {
  orderNumber: string;
  /** The present contact. */
  values: Typed;
  rules: ContactRules;
}

/**
 * Returns the present contact of an order with the rules for another one. Throws a PortalError (404) when the user has no such order, (403)
 * when the user's role does not allow a change, and (409) when the order is decided or the contact has answered.
 */
export async function getContactChange(user: SessionUser, orderId: number): Promise<ContactChange> {
  const row = await getCertificateOfOrder(user, orderId);
  if (row.companyId !== user.companyId) throw notFound();
  requireRole(user, "place-orders");
  const barrier = whyNotChanged(row);
  if (barrier) throw barrier;
  const rules = await rulesOfOrder(getDb(), user, row);
  // Customers do not learn which member of staff acted.
  return { orderNumber: orderNumber(orderId), values: contactValues(row), rules: { ...rules, actingEmails: [] } };
}

/** Returns the rules that the server applies to another contact of an order. Throws what `getContactChange` throws. */
export async function contactRulesOf(user: SessionUser, orderId: number): Promise<ContactRules> {
  await getContactChange(user, orderId);
  return rulesOfOrder(getDb(), user, await getCertificateOfOrder(user, orderId));
}

/** Locks the pending certificate of an order about whose contact this user decides. */
async function lockForMember(trx: Trx, user: SessionUser, certificateId: number): Promise<CertificateRow> {
  const row = await lockCertificate(trx, certificateId);
  if (!row) throw notFound();
  await requireMember(trx, user, row, "place-orders");
  const barrier = whyNotChanged(row);
  if (barrier) throw barrier;
  return row;
}

/**
 * Names another authentication contact for a pending order, or corrects the details of the present one. Another email address ends the link of
 * the present contact, takes unsent requests back and asks the new one. Whoever changes the contact counts as somebody who placed the order.
 * Returns false, and changes nothing, when the order has exactly this contact already. Throws what `getContactChange` throws, a PortalError for
 * the field `email` or `country`, and a PortalError (429) after too many changes.
 */
export async function changeContact(
  user: SessionUser,
  orderId: number,
  contact: Contact,
  now = new Date(),
): Promise<boolean> {
  const rules = await contactRulesOf(user, orderId);
  await requireContact(contact);
  const failures = failedCriteria(contact.email, rules).map(({ message }) => message);
  if (failures.length > 0)
    throw new PortalError([CONTACT_REFUSED, ...failures].join(" "), { code: "contact.requirements", field: "email" });
  const present = await getCertificateOfOrder(user, orderId);
  const country = (await findCountry(getDb(), contact.country))?.name ?? "";
  const columnsFor = ({ technicalContact }: CertificateRow) =>
    contactColumns(contact, country, parseContact(technicalContact).email);
  const { authenticationContact } = columnsFor(present);
  if (isDeepStrictEqual(parseContact(authenticationContact), parseContact(present.authenticationContact))) return false;
  await consumeTry("contact-change-order", orderId);
  const { id } = present;
  await inTransaction(async (trx) => {
    const row = await lockForMember(trx, user, id);
    const columns = columnsFor(row);
    if (!(await storeOtherContact(trx, id, columns, now))) throw refusal(outcomeOf(row), NOT_OPEN);
    const isOther = columns.authenticationEmail.toLowerCase() !== row.authenticationEmail.toLowerCase();
    const who = isOther ? ` from ${row.authenticationEmail} to ${contact.email}` : `, ${contact.email}, in details`;
    const message = `Changed the authentication contact${who}.`;
    await recordOrderWork(trx, row, { user, event: CONTACT_CHANGED, message }, now);
    if (!isOther) return;
    await endTokensAbout(trx, id, "authorise-order", now);
    await dropOrderMails(trx, REQUEST_MAIL, orderId, now);
    const placer = await findOrderPlacer(trx, orderId);
    await requestAuthorisation(
      trx,
      { certificateId: id, clientName: placer?.clientName ?? null, isOtherContact: true },
      now,
    );
  });
  return true;
}

/**
 * Sends the request to the contact of a pending order again, at most once in 24 hours. Throws what `getContactChange` throws, and a PortalError
 * (409) that says why the contact is not asked now.
 */
export async function remindOwnContact(user: SessionUser, orderId: number, now = new Date()): Promise<string> {
  const { id } = await getCertificateOfOrder(user, orderId);
  return inTransaction(async (trx) => {
    const row = await lockForMember(trx, user, id);
    const barrier = await whyNotReminded(trx, row, now);
    if (barrier !== null) throw refusal(barrier.member, "certificate.not-reminded");
    await remindContact(trx, row, user, now);
    return row.authenticationEmail;
  });
}
