import { type Profile, toProfile } from "~/domain/accounts/profile.service.server";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { fullCode } from "~/domain/codes/code-types";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { codeMaintenanceMail } from "~/domain/mail/templates/code-orders.server";
import { withTolerance } from "~/lib/clock";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { takeLock } from "~db/advisory-lock.server";
import { getDb, type Trx } from "~db/connection.server";
import { findFirstOwner } from "~db/repositories/companies.server";
import { findCountry } from "~db/repositories/countries.server";
import {
  findFirstYear,
  hasMaintenanceOrder,
  insertMaintenance,
  listMaintainedCodes,
  listUncharged,
  type MaintainedCode,
} from "~db/repositories/maintenance.server";
import { insertOrder } from "~db/repositories/orders.server";
import { findSetting, PORTAL, putSetting } from "~db/repositories/settings.server";
import { findUserFor, holdUser } from "~db/repositories/users.server";
import { PURCHASE_ORDER_TYPE } from "~db/tables/orders";
import { inTransaction } from "~db/transaction.server";
import { type CheckedInvoice, toInvoiceCountry } from "../invoice.service.server";
import { orderNumber } from "../order-number";
import { saleColumns } from "../order-row.server";
import { maintenanceCharge } from "./charge.policy";

/** The number of companies that are fetched at a time. */
const BATCH = 100;

/** Returns the invoice address of an account: its invoicing address, otherwise the company address, or null when it has neither. */
async function invoiceOf(trx: Trx, profile: Profile): Promise<CheckedInvoice | null> {
  const place = profile.invoicingAddress ?? profile.companyAddress;
  const country = place && (await findCountry(trx, place.country));
  if (!place || !country) return null;
  const invoiced = toInvoiceCountry(country);
  const address = {
    name: `${profile.firstName} ${profile.lastName}`,
    company: place.company ?? profile.company,
    email: profile.email,
    addressLine1: place.addressLine1,
    addressLine2: place.addressLine2,
    city: place.city,
    postalCode: place.postalCode,
    phoneNumber: profile.telephoneNumber,
    vat: (invoiced.needsVat && profile.vatNumber) || "",
    countryId: country.id,
    country: country.name,
    countryIso: country.iso,
  };
  const isVatChecked = invoiced.needsVat ? profile.vatNumberChecked === true : null;
  return { address, country: invoiced, isVatChecked };
}

const lineOf = (code: MaintainedCode, year: number) => ({
  codeId: code.id,
  code: fullCode({ ...code, subcode: "" }),
  codeType: code.codeType,
  subcodes: JSON.stringify(code.subcodes),
  ...maintenanceCharge({ ...code, subcodes: code.subcodes.length }, year, getConfig().maintenance),
});

interface Charge {
  companyId: number;
  year: number;
  invoice: CheckedInvoice;
  lines: ReturnType<typeof lineOf>[];
}

/** Stores the order with its lines and audit entry. Returns the data for the message to the owner. */
async function storeOrder(trx: Trx, owner: Profile, { companyId, year, invoice, lines }: Charge, now: Date) {
  const netCents = lines.reduce((sum, { costCents }) => sum + costCents, 0);
  const purchaseOrderNumber = `Code maintenance ${year}`;
  const price = { priceCents: netCents, discountCents: 0, netCents };
  const row = {
    ...saleColumns({ userId: owner.id, companyId, draftId: null, purchaseOrderNumber, price, ...invoice }, now),
    purchaseOrderType: PURCHASE_ORDER_TYPE.code,
    numberOfCodes: lines.length,
    isMaintenance: true,
  };
  const orderId = await insertOrder(trx, row);
  await insertMaintenance(trx, { year, companyId, orderId }, lines);
  const number = orderNumber(orderId);
  const codes = lines.length === 1 ? "1 code" : `${lines.length} codes`;
  const message = `Order ${number} for the maintenance of ${codes} in ${year} made.`;
  const entry = { actor: systemActor("code-maintenance"), event: "order.created", message, reference: number };
  await recordAudit(trx, { ...entry, userId: owner.id, orderId }, now);
  return { ...row, orderId, year };
}

type StoredOrder = Awaited<ReturnType<typeof storeOrder>>;

async function tellOwner(trx: Trx, owner: Profile, { orderId, ...order }: StoredOrder, now: Date): Promise<void> {
  const mail = codeMaintenanceMail({
    ...order,
    name: `${owner.firstName} ${owner.lastName}`,
    orderNumber: orderNumber(orderId),
    url: getEnv().publicUrl + paths.codes,
  });
  await queueOwnMail(trx, owner.id, { dedupeKey: `code-maintenance:${orderId}`, orderId, mail }, now);
}

type Outcome = "charged" | "nothing" | "no address";

/**
 * Charges one company for a year. The order is in the name of the owner who joined first.
 *
 * @param before Only codes that were registered before this ISO 8601 timestamp are charged.
 */
export const chargeCompany = (companyId: number, year: number, before: string, now: Date): Promise<Outcome> =>
  inTransaction(async (trx) => {
    await takeLock(trx, "codeMaintenance");
    const ownerId = await findFirstOwner(trx, companyId);
    const account = ownerId === null ? null : await holdUser(trx, ownerId); // A merge of accounts must wait, so that the codes do not change their owner now.
    if (!account || (await hasMaintenanceOrder(trx, year, companyId))) return "nothing";
    const lines = (await listMaintainedCodes(trx, companyId, before)).map((code) => lineOf(code, year));
    if (lines.every(({ costCents }) => costCents === 0)) return "nothing";
    const inCompany = await findUserFor(trx, { userId: account.id, companyId });
    if (!inCompany) return "nothing";
    const owner = await toProfile(trx, inCompany);
    const invoice = await invoiceOf(trx, owner);
    if (!invoice) return "no address";
    const order = await storeOrder(trx, owner, { companyId, year, invoice, lines }, now);
    if (!account.isDisabled) await tellOwner(trx, owner, order, now);
    return "charged";
  });

/**
 * The setting that records when all companies were charged for a year. Codes that are imported into the register later are not charged for it.
 */
const mark = (year: number) => ({ name: `codeMaintenance${year}`, userId: PORTAL });

async function isDone(year: number, now: Date): Promise<boolean> {
  const at = await findSetting(getDb(), mark(year));
  // A later timestamp was set by a clock that was ahead, when the year was not over yet.
  return at !== null && at <= withTolerance(now).toISOString();
}

async function whyNotCharged(year: number, now: Date): Promise<string> {
  const firstYear = await findFirstYear(getDb());
  if (firstYear === null) return "there are no accounts";
  if (firstYear > year) return `the portal has accounts since ${firstYear}`;
  return (await isDone(year, now)) ? "the year was charged before" : "";
}

/**
 * Charges the maintenance of the year that has ended (SAL-04). Makes one order for each company with registered codes, all or nothing and only
 * once, however often and late this is called and in how many processes. Years before the portal's first accounts are not charged.
 *
 * Returns the year, the number of companies that were charged, the number that could not be charged because they have no address (they are tried
 * again), and the reason why the year was not charged at all ("" when it was).
 */
export async function chargeMaintenance(now = new Date()): Promise<{
  year: number;
  charged: number;
  withoutAddress: number;
  reason: string;
}> {
  const year = now.getUTCFullYear() - 1;
  const counts = { charged: 0, nothing: 0, "no address": 0 };
  const reason = await whyNotCharged(year, now);
  if (reason === "") {
    const before = new Date(Date.UTC(year + 1, 0, 1)).toISOString();
    for (let after = 0, isLast = false; !isLast;) {
      const companies = await listUncharged(getDb(), { year, before, after, limit: BATCH });
      for (const company of companies) counts[await chargeCompany(company, year, before, now)] += 1;
      isLast = companies.length < BATCH;
      after = companies.at(-1) ?? after;
    }
    if (counts["no address"] === 0) await inTransaction((trx) => putSetting(trx, mark(year), now.toISOString(), now));
  }
  return { year, charged: counts.charged, withoutAddress: counts["no address"], reason };
}
