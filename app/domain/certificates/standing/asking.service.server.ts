import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireMember } from "~/domain/companies/membership.server";
import { parseInvoiceAddress } from "~/domain/orders/invoice-address.schema";
import { whyNotOrder } from "~/domain/orders/order-limit.server";
import { orderNumber } from "~/domain/orders/order-number";
import { getConfig } from "~/lib/config.server";
import { addDays, addMonths, DAY, formatDate } from "~/lib/dates";
import { notFound, PortalError } from "~/lib/errors";
import { formatEuro } from "~/lib/money";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { lockCompany } from "~db/repositories/members.server";
import {
  countOpenStanding,
  insertStanding,
  listBases,
  lockStanding,
  type NamedStandingRow,
  type StandingBase,
  updateStanding,
} from "~db/repositories/standing-authorisations.server";
import { inTransaction } from "~db/transaction.server";
import { parseContact } from "../purchase/contact.schema";
import { confirmedOf, oftpIdsOf } from "./judging.server";
import { amountsText, IDENTITY_MONTHS, MOST_BASES, MOST_STANDING, standingName } from "./standing";
import { type StandingForm } from "./standing.schema";
import { endStanding, recordStanding } from "./telling.server";

/** Throws a PortalError (403) for an acting administrator. */
const requireOwnHand = (user: SessionUser): void => requireNoImpersonation(user, "the standing authorisations");

const refusal = (message: string, field?: string) =>
  new PortalError(message, { code: "company.standing", ...(field && { field }) });

/** Returns the first instant after the time in which the checked identity counts. It is the beginning of a day (UTC). */
function identityEnd({ organisationCheckedAt }: Pick<StandingBase, "organisationCheckedAt">): Date {
  const end = addMonths(new Date(organisationCheckedAt ?? 0), IDENTITY_MONTHS);
  return new Date(Math.floor(end.getTime() / DAY) * DAY);
}

const basesOf = (db: DbOrTrx, { companyId }: SessionUser, now: Date) =>
  listBases(db, companyId, addMonths(now, -IDENTITY_MONTHS), MOST_BASES);

/**
 * Returns what the page asks about: the orders on which a standing authorisation can be based, and the domains that it would cover. Throws a
 * PortalError (403) for an acting administrator.
 */
export async function getAskPage(user: SessionUser, now = new Date()) {
  requireOwnHand(user);
  const bases = await basesOf(getDb(), user, now);
  return {
    company: user.company,
    domains: (await confirmedOf(getDb(), user.companyId, now)).map(({ name }) => name).toSorted(),
    bases: bases.map((base) => {
      const { name, email } = parseContact(base.authenticationContact);
      const invoice = parseInvoiceAddress(base.invoiceAddress);
      return {
        id: base.id,
        text: `Order ${orderNumber(base.orderId)}: ${base.organisation}, ${base.country}; contact ${name} (${email}); invoices to ${invoice.company}, ${invoice.email}; until ${formatDate(addDays(identityEnd(base), -1).toISOString())}`,
      };
    }),
    /** What a certificate costs for each year, without VAT, as text. */
    yearPrice: formatEuro(getConfig().prices.certificatePerYearCents),
    /** The last day of the latest of these orders, as `yyyy-MM-dd`. */
    lastDay: bases[0] ? addDays(identityEnd(bases[0]), -1).toISOString().slice(0, 10) : "",
  };
}

/** Returns the instant at which the last day is over. Throws a PortalError when the day has passed or the identity does not count so long. */
function requireEnd({ lastDay }: StandingForm, base: StandingBase, now: Date): Date {
  const end = addDays(new Date(`${lastDay}T00:00:00Z`), 1);
  if (end <= now) throw refusal("This day has passed.", "lastDay");
  const latest = identityEnd(base);
  if (end <= latest) return end;
  const day = formatDate(addDays(latest, -1).toISOString());
  const text = `We checked the organisation on ${formatDate(base.organisationCheckedAt)}, and that counts for ${IDENTITY_MONTHS} months: the last day can be ${day}.`;
  throw refusal(text, "lastDay");
}

async function requireRoom(trx: Trx, companyId: number): Promise<void> {
  if ((await countOpenStanding(trx, companyId)) >= MOST_STANDING)
    throw refusal(`A company can have at most ${MOST_STANDING} standing authorisations. End one first.`);
}

/**
 * Asks for a standing authorisation of the company in which the user works. Returns its id. Staff decide about it. Throws a PortalError (403)
 * when the user may not manage the company, and one for the field that breaks a rule.
 */
export function askForStanding(user: SessionUser, form: StandingForm, now = new Date()): Promise<number> {
  requireOwnHand(user);
  const barrier = whyNotOrder(user);
  if (barrier) throw new PortalError(barrier, { code: "account.right", status: 403 });
  const { companyId, company } = user;
  return inTransaction(async (trx) => {
    await lockCompany(trx, companyId, now);
    await requireMember(trx, user, user, "manage-company");
    await requireMember(trx, user, user, "place-orders");
    await requireRoom(trx, companyId);
    const base = (await basesOf(trx, user, now)).find(({ id }) => id === form.basis);
    if (!base) throw refusal("Choose one of the orders of the list.", "basis");
    const domains = await confirmedOf(trx, companyId, now);
    const { organisation, organisationUnit, locality, state, country } = base;
    const id = await insertStanding(trx, {
      companyId,
      basedOn: base.id,
      askedBy: user.id,
      askedAt: now,
      ...{ organisation, organisationUnit, locality, state, country },
      identityCheckedAt: base.organisationCheckedAt ?? now,
      domains: JSON.stringify(domains),
      oftpIds: JSON.stringify(await oftpIdsOf(trx, { companyId, ssid: base.ssid })),
      usages: JSON.stringify(form.usage),
      longestYears: form.longestYears,
      purchaseOrderNumber: form.purchaseOrderNumber,
      ceilingCertificates: form.ceilingCertificates,
      ceilingCents: form.ceilingEuro,
      endsAt: requireEnd(form, base, now),
      isInvoicedMonthly: form.isInvoicedMonthly,
    });
    const limits = amountsText({ certificates: form.ceilingCertificates, cents: form.ceilingEuro });
    const message = `Asked for ${standingName(id)} of ${company}: up to ${limits} until ${formatDate(form.lastDay)}, based on order ${orderNumber(base.orderId)}.`;
    await recordStanding(trx, { companyId }, { actor: user.actor, event: "company.standing-asked", message }, now);
    return id;
  });
}

/** Returns a standing authorisation that has not ended, locked by the transaction. Throws a PortalError (404) when there is none. */
export async function requireOpenStanding(trx: Trx, id: number): Promise<NamedStandingRow> {
  const row = await lockStanding(trx, id);
  if (!row) throw notFound();
  if (row.endedAt !== null) throw refusal("The standing authorisation has ended already.");
  return row;
}

/**
 * Chooses whether the orders under a standing authorisation are on one invoice a month. It holds for certificates that are issued from now on;
 * orders that wait for the invoice of the month stay on it. Choosing again what is chosen changes nothing. Throws a PortalError (403) when the
 * user may not manage the company, and (404) when the company has no such authorisation.
 */
export function chooseInvoicing(user: SessionUser, id: number, isMonthly: boolean, now = new Date()): Promise<void> {
  requireOwnHand(user);
  return inTransaction(async (trx) => {
    await requireMember(trx, user, user, "manage-company");
    const found = await lockStanding(trx, id);
    if (found?.companyId !== user.companyId) throw notFound();
    const row = await requireOpenStanding(trx, id);
    if (row.isInvoicedMonthly === isMonthly) return;
    await updateStanding(trx, id, { isInvoicedMonthly: isMonthly });
    const message = `Orders under ${standingName(id)} of ${row.company} are on ${isMonthly ? "one invoice a month" : "an invoice each"}.`;
    await recordStanding(trx, row, { actor: user.actor, event: "company.standing-invoicing", message }, now);
  });
}

/**
 * Ends a standing authorisation for the company, or withdraws one that waits. Throws a PortalError (403) when the user may not manage the
 * company, and (404) when the company has no such authorisation.
 */
export function endOwnStanding(user: SessionUser, id: number, reason: string, now = new Date()): Promise<void> {
  requireOwnHand(user);
  return inTransaction(async (trx) => {
    await requireMember(trx, user, user, "manage-company");
    const row = await lockStanding(trx, id);
    if (row?.companyId !== user.companyId) throw notFound();
    await endStanding(trx, await requireOpenStanding(trx, id), { actor: user.actor, by: "company", why: reason }, now);
  });
}
