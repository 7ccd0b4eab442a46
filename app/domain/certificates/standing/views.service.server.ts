import { type SessionUser } from "~/domain/accounts/session-user";
import { parseInvoiceAddress } from "~/domain/orders/invoice-address.schema";
import { nextMonthEnd } from "~/domain/orders/invoices/invoice.policy";
import { orderNumber } from "~/domain/orders/order-number";
import { yearsText } from "~/domain/orders/price.policy";
import { getConfig } from "~/lib/config.server";
import { formatDate } from "~/lib/dates";
import { notFound } from "~/lib/errors";
import { formatEuro } from "~/lib/money";
import { getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import {
  countAwaitingInvoice,
  findStanding,
  listOrdersUnder,
  listStanding,
  listStandingOf,
  listStandingUses,
  type NamedStandingRow,
} from "~db/repositories/standing-authorisations.server";
import { listUsersById } from "~db/repositories/users.server";
import { parseContact } from "../purchase/contact.schema";
import { type RenewalTerm } from "../succession/original.server";
import { getOriginal } from "../succession/renewal.service.server";
import { whyNotDecideStanding } from "./decisions.service.server";
import { basisOf } from "./judging.server";
import { STANDING_SHOWN } from "./standing";
import { findStandingAtSigner } from "./standing-grants.service.server";
import { endDayOf, leftOf, listsOf, stateOfStanding } from "./standing.policy";

/** How many orders the page of a standing authorisation shows. */
const ORDERS_SHOWN = 100;

const viewOf = (row: NamedStandingRow, use: { certificates: number; cents: number }, now: Date) => ({
  id: row.id,
  companyId: row.companyId,
  company: row.company,
  state: stateOfStanding(row, now),
  organisation: row.organisation,
  purchaseOrderNumber: row.purchaseOrderNumber,
  ceilingCertificates: row.ceilingCertificates,
  ceilingCents: row.ceilingCents,
  used: use,
  left: leftOf(row, use),
  askedAt: row.askedAt,
  endsAt: row.endsAt,
  isInvoicedMonthly: row.isInvoicedMonthly,
  /** The last day, or the day on which it ended. */
  endDay: endDayOf(row),
});

export type StandingView = ReturnType<typeof viewOf>;

const NONE = { certificates: 0, cents: 0 };

async function viewsOf(rows: readonly NamedStandingRow[], now: Date): Promise<StandingView[]> {
  const ids = rows.map(({ id }) => id);
  const uses = await listStandingUses(getDb(), ids);
  return rows.map((row) => viewOf(row, uses.get(row.id) ?? NONE, now));
}

/** Returns the standing authorisations of the company in which the user works, the latest first. */
export const listOwnStanding = async ({ companyId }: SessionUser, now = new Date()) =>
  viewsOf(await listStandingOf(getDb(), companyId), now);

/** Returns the standing authorisations of all companies for staff: those that wait first, then those in force, each the latest first. */
export const listAllStanding = async (now = new Date()) => viewsOf(await listStanding(getDb(), STANDING_SHOWN), now);

/** Returns how many orders wait for the invoice of the month and when it is issued, as a sentence, or null when none waits. */
async function awaitingText(id: number, now: Date): Promise<string | null> {
  const count = await countAwaitingInvoice(getDb(), id);
  if (count === 0) return null;
  const orders = count === 1 ? "1 order waits" : `${count} orders wait`;
  return `${orders} for the invoice of the month, which is issued on ${formatDate(nextMonthEnd(now).toISOString())}.`;
}

/** Returns what the page of a standing authorisation shows, to members and to staff. */
async function detailsOf(row: NamedStandingRow, now: Date) {
  const db = getDb();
  const basis = await basisOf(db, row);
  const order = await findOrder(db, basis.orderId);
  if (!order) throw new Error(`There is no order ${basis.orderId}.`);
  const { name, email, position, phoneNumber } = parseContact(basis.authenticationContact);
  const invoice = parseInvoiceAddress(order.invoiceAddress);
  const [view] = await viewsOf([row], now);
  const ids = [row.askedBy, row.contactCheckedBy, row.approvedBy].filter((id) => id !== null);
  const people = new Map((await listUsersById(db, ids)).map((user) => [user.id, `${user.firstName} ${user.lastName}`]));
  const nameOf = (id: number | null) => (id === null ? null : (people.get(id) ?? ""));
  const { domains, oftpIds, usages } = listsOf(row);
  return {
    ...(view as StandingView),
    subject: [row.organisation, row.organisationUnit, row.locality, row.state, row.country].filter(Boolean).join(", "),
    identityCheckedAt: row.identityCheckedAt,
    basedOn: { id: basis.id, orderNumber: orderNumber(basis.orderId) },
    domains,
    oftpIds,
    usages,
    longestYears: row.longestYears,
    contact: { name, email, position, phoneNumber },
    invoicedTo: `${invoice.name}, ${invoice.company}, ${invoice.email}`,
    askedBy: nameOf(row.askedBy),
    contactCheckedAt: row.contactCheckedAt,
    contactCheckedBy: nameOf(row.contactCheckedBy),
    contactNote: row.contactNote,
    approvedAt: row.approvedAt,
    approvedBy: nameOf(row.approvedBy),
    awaitingInvoice: await awaitingText(row.id, now),
    endedAt: row.endedAt,
    endedBy: row.endedBy,
    endedWhy: row.endedWhy,
    orders: (await listOrdersUnder(db, row.id, ORDERS_SHOWN)).map((one) => ({
      ...one,
      orderNumber: orderNumber(one.orderId),
      isWithin: one.whyOutside === null,
    })),
  };
}

type Details = Awaited<ReturnType<typeof detailsOf>>;

/** Names of staff and their notes are not for customers. */
export type OwnStandingPage = Omit<Details, "contactCheckedBy" | "contactNote" | "approvedBy">;

/** Returns what a certificate for this number of years costs without VAT, as text. */
const netText = (years: number) => formatEuro(getConfig().prices.certificatePerYearCents * years);

/** Returns the numbers of years for which a certificate can be ordered, each with its price. */
export const yearsWithPrices = (longestYears: number) =>
  Array.from({ length: longestYears }, (_, index) => index + 1).map((years) => ({
    value: String(years),
    label: `${yearsText(years)}, ${netText(years)}`,
  }));

/** Returns a standing authorisation of the company in which the user works. Throws a PortalError (404) when it has none with this id. */
export async function getOwnStanding(user: SessionUser, id: number, now = new Date()): Promise<OwnStandingPage> {
  const row = await findStanding(getDb(), id);
  if (row?.companyId !== user.companyId) throw notFound();
  const { contactCheckedBy: _by, contactNote: _note, approvedBy: _approver, ...page } = await detailsOf(row, now);
  return page;
}

/**
 * Returns what the form of a renewal under a standing authorisation shows: the certificate of an order, and the years that can be chosen.
 * Throws what `getOriginal` throws.
 */
export async function getRenewalUnder(user: SessionUser, orderId: number, longestYears: number) {
  const { row, terms, refusals } = await getOriginal(user, orderId);
  const offered = terms.filter(({ years, refusal }) => refusal === null && years <= longestYears);
  const text = ({ years, expiryDate }: RenewalTerm) =>
    `${yearsText(years)}, until ${formatDate(expiryDate)}, ${netText(years)}`;
  return {
    orderId,
    certificateId: row.id,
    commonName: row.commonName,
    refusals,
    years: offered.map((term) => ({ value: String(term.years), label: text(term) })),
  };
}

export type RenewalUnder = Awaited<ReturnType<typeof getRenewalUnder>>;

/** Returns a standing authorisation for staff, with what keeps this user from checking and from approving it, and what the signer knows of it. */
export async function getStandingForStaff(user: SessionUser, id: number, now = new Date()) {
  const row = await findStanding(getDb(), id);
  if (!row) throw notFound();
  const isOpen = row.endedAt === null && row.approvedAt === null;
  const whyNot = async (task: "check" | "approve") =>
    isOpen ? ((await whyNotDecideStanding(getDb(), task, row, user))?.text ?? null) : null;
  return {
    ...(await detailsOf(row, now)),
    whyNotChecked: await whyNot("check"),
    whyNotApproved: await whyNot("approve"),
    atSigner: await findStandingAtSigner(row, now),
  };
}

export type StaffStandingPage = Awaited<ReturnType<typeof getStandingForStaff>>;
