import { getProfile } from "~/domain/accounts/profile.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requesterOf } from "~/domain/keys/key-rules.server";
import { type InvoiceAddressForm, invoiceAddressSchema } from "~/domain/orders/invoice-address.schema";
import { checkInvoice, invoicingAddressOf, listInvoiceCountries } from "~/domain/orders/invoice.service.server";
import { unclaimed } from "~/domain/orders/order-claim";
import { orderNumber } from "~/domain/orders/order-number";
import { certificatePrice, vatFor, yearsText } from "~/domain/orders/price.policy";
import { asLines } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { isPortalError, PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { formatEuro } from "~/lib/money";
import { getDb } from "~db/connection.server";
import { listCertificates } from "~db/repositories/certificate-list.server";
import { certificateList } from "../catalogue/certificate-list";
import { certificateFilterFor } from "../catalogue/list.service.server";
import { placePurchase } from "../purchase/completion.service.server";
import { type ContactRules } from "../purchase/contact.policy";
import { contactRules } from "../purchase/contact.service.server";
import { RENEWAL_YEARS } from "../purchase/fields";
import { findLastChoices, findLastContact } from "../purchase/last-order.server";
import { renewalOrder } from "../purchase/purchase.policy";
import { MOST_RENEWALS_LISTED, MOST_RENEWALS, type RenewalRowState } from "./bulk-renewal";
import { type BulkRenewalForm } from "./bulk-renewal.schema";
import { type GivenCsrs, type SortedCsr, sortCsrs } from "./csr-sorting.server";
import { findOriginal, type Original } from "./original.server";
import { renewalBarrier } from "./renewal.policy";
import { importOrderCsr } from "./successor-csr.server";
import { withSuccessors } from "./successors.server";

/**
 * Returns the certificates of the list that this user can renew now, among the MOST_RENEWALS_LISTED that end first, and whether there may be
 * others.
 *
 * @param query The query string of the list.
 */
async function listRenewable(user: SessionUser, query: URLSearchParams, now: Date) {
  const params = certificateList.read(query);
  const { certificates } = getConfig();
  const own = await certificateFilterFor(user, { ...params, companyId: user.companyId, state: null }, now);
  const open = { from: now.toISOString(), to: addDays(now, certificates.renewalsFromDays).toISOString() };
  const filter = { expiry: open, ...own, companyId: user.companyId };
  const sort = { key: "certificateExpiryDate", direction: "asc" } as const;
  const rows = await listCertificates(getDb(), filter, { sort, offset: 0, limit: MOST_RENEWALS_LISTED + 1 });
  const candidates = (await withSuccessors(rows.slice(0, MOST_RENEWALS_LISTED))).filter(
    (candidate) => renewalBarrier(user, candidate, certificates, now) === null,
  );
  const originals = await Promise.all(candidates.map(({ id }) => findOriginal(getDb(), id, now)));
  return {
    originals: originals.filter((original) => original !== null),
    hasMore: rows.length > MOST_RENEWALS_LISTED,
  };
}

/** A certificate as the page lists it. */
export interface RenewalRow {
  id: number;
  commonName: string;
  organisation: string;
  dnsNames: string[];
  expiryDate: string;
  state: RenewalRowState;
  /** What is wrong, a rule on each line, or "". */
  reason: string;
}

const rowOf = ({ row, subject, dnsNames }: Original, state: RenewalRowState, reason = ""): RenewalRow => ({
  id: row.id,
  commonName: row.commonName,
  organisation: subject.organisation ?? "",
  dnsNames,
  expiryDate: row.expiryDate,
  state,
  reason,
});

/** Returns the invoice address of the account, and what it lacks for an order, or "". */
async function accountInvoice(userId: number) {
  const values = invoicingAddressOf(await getProfile(userId));
  const parsed = invoiceAddressSchema(await listInvoiceCountries()).safeParse(values);
  const address = [values.name, values.company, values.addressLine1, values.postalCode, values.city].filter(Boolean);
  return { text: address.join(", "), form: parsed.success ? parsed.data : null };
}

const NO_INVOICE = "The invoicing address of your account is not complete. Complete it under your user details first.";

/** Returns what the page shows before anything was sent. `query` is the query string of the list. */
export async function bulkRenewal(user: SessionUser, query: URLSearchParams, now = new Date()) {
  const rules = await contactRules(user, null);
  const shownRules: ContactRules = { ...rules, actingEmails: [] }; // customers do not learn which administrator acted
  const [{ originals, hasMore }, contact, last, invoice] = await Promise.all([
    listRenewable(user, query, now),
    findLastContact(user, rules),
    findLastChoices(user),
    accountInvoice(user.id),
  ]);
  return {
    rows: originals.map((original) => rowOf(original, "needs")),
    hasMore,
    values: { ...contact?.values, validityPeriod: "1" },
    rules: shownRules,
    lastNumber: last?.purchaseOrderNumber ?? "",
    invoice: invoice.text,
    invoiceProblem: invoice.form ? "" : NO_INVOICE,
    list: certificateList.href(certificateList.read(query)),
    validities: RENEWAL_YEARS.map((years) => ({
      value: String(years),
      label: `${yearsText(years)}, ${formatEuro(getConfig().prices.certificatePerYearCents * years)} each`,
    })),
  };
}

const SAME_KEY =
  "Public key: another CSR of this form has the same key. Each certificate needs a new key of its own. Create one and a CSR with it.";

/** What is known about the CSRs that were given. */
export interface MatchedCsrs {
  rows: RenewalRow[];
  /** What is wrong with CSRs of the text box that belong to no row, a sentence for each. */
  problems: string[];
  /** What is wrong with files, a sentence for each. */
  fileProblems: string[];
  /** Why matched certificates cannot be renewed for these years, a sentence for each reason. */
  refusals: string[];
  matched: { original: Original; csr: string }[];
}

/** Returns why the CSR that was sorted to a certificate cannot be used, or "". Consumes one of the account's tries. */
async function whyNotUsed(user: SessionUser, original: Original, { input, differences }: SortedCsr): Promise<string> {
  if (differences !== null) return differences;
  const read = await importOrderCsr(input, requesterOf(user), original);
  return read.ok ? "" : asLines(read.messages);
}

/**
 * Matches CSRs to the certificates of the list by their names, and checks each as the order step of a renewal does.
 *
 * @param query The query string of the list.
 * @param years The validity period. The row of a certificate for which it is not possible says why.
 */
export async function matchCsrs(
  user: SessionUser,
  query: URLSearchParams,
  given: GivenCsrs,
  years: string,
  now = new Date(),
): Promise<MatchedCsrs> {
  const { originals } = await listRenewable(user, query, now);
  const tooMany = given.readable.length > MOST_RENEWALS;
  const { sorted, surplus, foreign } = sortCsrs(tooMany ? [] : given.readable, originals);
  const keys = new Set<string>();
  const rows: RenewalRow[] = [];
  const refusals = new Set<string>();
  const matched: MatchedCsrs["matched"] = [];
  for (const original of originals) {
    const found = sorted.get(original.row.id);
    if (!found) {
      rows.push(rowOf(original, "needs"));
      continue;
    }
    const isSameKey = keys.has(found.csr.keyIdentity);
    keys.add(found.csr.keyIdentity);
    const reason = isSameKey ? SAME_KEY : await whyNotUsed(user, original, found);
    const refusal = original.refusals[years] ?? "";
    rows.push(rowOf(original, reason ? "wrong" : "matched", reason || refusal));
    if (reason) continue;
    matched.push({ original, csr: found.csr.pem });
    if (refusal) refusals.add(refusal);
  }
  const problems = [
    ...(tooMany ? [`At most ${MOST_RENEWALS} CSRs can be sent at once. There are ${given.readable.length}.`] : []),
    ...given.problems,
    ...surplus.map((name) => `Several CSRs are for the same certificate, ${name}. Keep only one of them.`),
    ...foreign.map((name) => `The CSR for ${name || "no common name"} belongs to no certificate of this list.`),
  ];
  return { rows, problems, fileProblems: given.fileProblems, refusals: [...refusals], matched };
}

/** Returns what the matched renewals cost together. Throws what `checkInvoice` throws, and a PortalError without an invoicing address. */
export async function costOf(user: SessionUser, { validityPeriod }: BulkRenewalForm, count: number) {
  const { form } = await accountInvoice(user.id);
  if (!form) throw new PortalError(NO_INVOICE, { code: "invoice.address" });
  const { country } = await checkInvoice(user.id, form);
  const { prices, vatRate } = getConfig();
  const one = certificatePrice({
    perYearCents: prices.certificatePerYearCents,
    years: validityPeriod,
    discountCents: 0,
  });
  const vat = vatFor({ country, netCents: one.netCents, rate: vatRate });
  return {
    netCents: one.netCents * count,
    vatCents: vat.vatCents * count,
    totalCents: vat.totalCents * count,
    note: vat.note,
  };
}

/** What came of a renewal: the number of its order, or why there is none. */
export interface OrderedRenewal {
  id: number;
  commonName: string;
  orderId: number | null;
  orderNumber: string;
  reason: string;
}

async function orderOne(
  user: SessionUser,
  { original, csr }: MatchedCsrs["matched"][number],
  { validityPeriod, purchaseOrderNumber, ...contact }: Omit<BulkRenewalForm, "csr" | "termsAndConditionsAccepted">,
  invoice: InvoiceAddressForm,
  now: Date,
): Promise<OrderedRenewal> {
  const named = { id: original.row.id, commonName: original.row.commonName };
  const form = { csr, validityPeriod, purchaseOrderNumber, termsAndConditionsAccepted: true };
  const order = renewalOrder(form, original);
  try {
    const orderId = await placePurchase(user, { order, contact, original, invoice }, unclaimed, now);
    return { ...named, orderId, orderNumber: orderId === null ? "" : orderNumber(orderId), reason: "" };
  } catch (error) {
    if (!isPortalError(error)) logError(error);
    const reason = isPortalError(error) ? error.message : "An error occurred. Please try again.";
    return { ...named, orderId: null, orderNumber: "", reason };
  }
}

/**
 * Orders the renewals one after the other, each in a transaction of its own and with the rules of every order (`placePurchase`). When the form is
 * sent twice, the renewals that are pending already are refused. Throws a PortalError when the account has no invoicing address.
 */
export async function orderRenewals(
  user: SessionUser,
  matched: MatchedCsrs["matched"],
  { csr: _csr, termsAndConditionsAccepted: _terms, ...form }: BulkRenewalForm,
  now = new Date(),
): Promise<OrderedRenewal[]> {
  const { form: invoice } = await accountInvoice(user.id);
  if (!invoice) throw new PortalError(NO_INVOICE, { code: "invoice.address" });
  const ordered: OrderedRenewal[] = [];
  for (const one of matched) ordered.push(await orderOne(user, one, form, invoice, now));
  return ordered;
}
