import { isSameMailbox } from "~/domain/accounts/same-person.policy";
import { contactSearchTextOf } from "~/domain/certificates/purchase/certificate-columns.server";
import { hasOtherDomain } from "~/domain/certificates/purchase/contact.policy";
import { type ContactSnapshot, parseContact } from "~/domain/certificates/purchase/contact.schema";
import { ADDRESS_LABELS, CONTACT_FIELDS, INVOICE_FIELDS } from "~/domain/certificates/purchase/fields";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { formatEuro } from "~/lib/money";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { type InvoiceRow } from "~db/repositories/invoices.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { parseInvoiceAddress } from "../invoice-address.schema";
import { type CheckedInvoice } from "../invoice.service.server";
import { currentInvoice } from "../invoices/issue-invoice.server";
import { vatFor } from "../price.policy";
import { type Correction } from "./correction";
import { CONTACT_TITLES } from "./correction-fields";
import { type CorrectionState } from "./correction-state.server";
import { statusAtTotal } from "./settlement.policy";

/** What a customer wants an order to say. Parts that are missing stay as they are. */
export interface WantedCorrection {
  purchaseOrderNumber?: string;
  invoice?: CheckedInvoice;
  technical?: ContactSnapshot;
  /** Without the email address, which stays. */
  contact?: Omit<ContactSnapshot, "email">;
}

/** The columns of an order that a correction changes. */
export type CorrectedColumns = Pick<
  OrderRow,
  | "purchaseOrderNumber"
  | "invoiceAddress"
  | "company"
  | "countryId"
  | "vatNumber"
  | "vatNumberChecked"
  | "vatRate"
  | "vatCents"
  | "totalCents"
  | "status"
>;

export type CorrectedContacts = Pick<
  CertificateRow,
  "technicalContact" | "authenticationContact" | "contactSearchText"
>;

/** What a correction will do. */
export interface CorrectionPlan {
  /** Empty when nothing differs from what is stored. */
  changes: readonly Correction[];
  /** Null when nothing of the order itself changes. */
  order: CorrectedColumns | null;
  /** Null when no contact changes. */
  contacts: CorrectedContacts | null;
  /** The invoice that is credited and replaced by a new one, or null. */
  replaced: InvoiceRow | null;
}

const refusal = (message: string, code: string, field?: string) =>
  new PortalError(message, { code, ...(field && { field }) });

/** Returns the fields whose values differ. */
function differing(
  ofWhat: string,
  fields: readonly (keyof typeof ADDRESS_LABELS)[],
  [before, after]: readonly [Partial<Record<string, unknown>>, Partial<Record<string, unknown>>],
): Correction[] {
  const text = (values: Partial<Record<string, unknown>>, name: string) => {
    const value = values[name];
    return typeof value === "string" ? value.trim().replace(/\s+/g, " ") : "";
  };
  return fields
    .map((name) => ({ label: `${ofWhat}: ${ADDRESS_LABELS[name]}`, from: text(before, name), to: text(after, name) }))
    .filter(({ from, to }) => from !== to);
}

const INVOICE_ADDRESS = "Invoice address";
const labelOf = (name: "email" | "phoneNumber") => `${INVOICE_ADDRESS}: ${ADDRESS_LABELS[name]}`;

/** The fields of the invoice address that no invoice states. */
const UNSTATED: readonly string[] = [labelOf("email"), labelOf("phoneNumber")];

const one = (label: string, from: string, to: string): Correction[] => (from === to ? [] : [{ label, from, to }]);

/** Returns the amounts at the corrected country. The VAT stays as it was charged while the country stays. */
function amountsAt({ order }: CorrectionState, { country }: CheckedInvoice) {
  if (country.id === order.countryId)
    return { vatRate: order.vatRate, vatCents: order.vatCents, totalCents: order.totalCents };
  const { note: _, ...amounts } = vatFor({ country, netCents: order.netCents, rate: getConfig().vatRate });
  return amounts;
}

const VAT_AMOUNT = "VAT amount";
const TOTAL = "Total";

/** What changes by itself with the country of the invoice address. */
const AMOUNT_LABELS: readonly string[] = [VAT_AMOUNT, TOTAL];

/** Returns what an invoice states otherwise after a correction, for people: "City, VAT number". Amounts that follow from it are left out. */
export const statedFields = (changes: readonly Correction[]): string =>
  changes
    .map(({ label }) => label)
    .filter((label) => !AMOUNT_LABELS.includes(label) && !UNSTATED.includes(label))
    .map((label) => label.replace(`${INVOICE_ADDRESS}: `, ""))
    .join(", ");

/** Returns the email of the invoice address when a correction changes it, or null. It is empty when the correction removes it. */
export const correctedInvoiceEmail = (changes: readonly Correction[]): string | null =>
  changes.find(({ label }) => label === labelOf("email"))?.to ?? null;

const CODES_PAID =
  "With this country, VAT is added, and the order of codes is paid without it. Contact us: we record the new amount.";

const byHand = (number: string) =>
  `Invoice ${number} was not issued by the portal, so the portal cannot replace it. Contact us: we issue a new one. The invoice address's email and phone number can be corrected here.`;

/** Returns the columns of a corrected invoice address, with what differs. */
function planInvoice(state: CorrectionState, invoice: CheckedInvoice) {
  const { order } = state;
  const { address, country, isVatChecked } = invoice;
  const stored = parseInvoiceAddress(order.invoiceAddress);
  // Addresses of older orders do not name the country.
  const before = { ...stored, country: country.id === order.countryId ? country.name : stored.country };
  const amounts = amountsAt(state, invoice);
  const addressFields = INVOICE_FIELDS.filter((name) => name !== "vat");
  const changes = [
    ...differing(INVOICE_ADDRESS, addressFields, [before, { ...address, country: country.name }]),
    ...one("VAT number", order.vatNumber ?? "", address.vat),
    ...one(VAT_AMOUNT, formatEuro(order.vatCents), formatEuro(amounts.vatCents)),
    ...one(TOTAL, formatEuro(order.totalCents), formatEuro(amounts.totalCents)),
  ];
  const columns = {
    invoiceAddress: JSON.stringify(address),
    company: address.company,
    countryId: country.id,
    vatNumber: address.vat || null,
    vatNumberChecked: isVatChecked,
    ...amounts,
    status: statusAtTotal(order, amounts.totalCents),
  };
  return { changes, columns };
}

/** Returns what the order says after the correction, with what differs. */
function planOrder(state: CorrectionState, { invoice, ...wanted }: WantedCorrection) {
  const { order } = state;
  const { purchaseOrderNumber = order.purchaseOrderNumber } = wanted;
  const ofInvoice = invoice ? planInvoice(state, invoice) : null;
  const changes = [
    ...one("Purchase order number", order.purchaseOrderNumber, purchaseOrderNumber),
    ...(ofInvoice?.changes ?? []),
  ];
  const columns: CorrectedColumns = { ...order, purchaseOrderNumber, ...ofInvoice?.columns };
  return { changes, columns: picked(columns) };
}

/** Returns the columns of a row that a correction changes. */
const picked = ({ purchaseOrderNumber, invoiceAddress, company, countryId, vatNumber, ...row }: CorrectedColumns) => {
  const { vatNumberChecked, vatRate, vatCents, totalCents, status } = row;
  const address = { invoiceAddress, company, countryId, vatNumber, vatNumberChecked };
  return { purchaseOrderNumber, ...address, vatRate, vatCents, totalCents, status };
};

/** Returns the invoice that a correction replaces, or null. Throws a PortalError when the portal cannot replace it. */
function replacedInvoice({ order, invoices }: CorrectionState, changes: readonly Correction[]): InvoiceRow | null {
  if (changes.every(({ label }) => UNSTATED.includes(label))) return null;
  const current = currentInvoice(invoices);
  if (!current && order.invoiceNumber !== null) throw refusal(byHand(order.invoiceNumber), "correction.by-hand");
  return current;
}

/** Returns both contacts after the correction, with what differs. Throws a PortalError for the field `email` when both are the same person. */
function planContacts(certificate: CertificateRow, { technical, contact }: WantedCorrection) {
  const before = {
    technical: parseContact(certificate.technicalContact),
    contact: parseContact(certificate.authenticationContact),
  };
  const { email } = before.contact;
  const after = { technical: technical ?? before.technical, contact: { ...before.contact, ...contact, email } };
  const changes = [
    ...differing(CONTACT_TITLES.technical, CONTACT_FIELDS, [{ ...before.technical }, { ...after.technical }]),
    ...differing(CONTACT_TITLES.authentication, CONTACT_FIELDS, [{ ...before.contact }, { ...after.contact }]),
  ];
  if (technical && technical.email !== before.technical.email && isSameMailbox(technical.email, email))
    throw refusal("This is the email address of the authentication contact.", "correction.same-contact", "email");
  const isForeign = hasOtherDomain(email, after.technical.email);
  const columns: CorrectedContacts = {
    technicalContact: JSON.stringify(after.technical),
    authenticationContact: JSON.stringify({ ...after.contact, hasOtherDomain: isForeign }),
    // The contact of a certificate in force may have been erased, and is then not found by the name that stays.
    contactSearchText:
      after.contact.name === before.contact.name ? certificate.contactSearchText : contactSearchTextOf(after.contact),
  };
  return { changes, columns };
}

/** Returns why the authentication contact cannot be corrected here, in a sentence, or null when it can. */
export function whyNotCorrectContact({ status, contactAnswer }: CertificateRow): string | null {
  if (status !== "Pending") return null;
  if (contactAnswer === null) return "The authentication contact has not answered yet: change the contact instead.";
  if (contactAnswer === "refused") return "The authentication contact has refused the order.";
  return "Our staff check this contact for the order. You can correct it once the certificate is issued.";
}

/**
 * Returns what a correction will do. Throws a PortalError when it cannot be done: the invoice was recorded by hand, VAT would be added to codes
 * that are paid, or a contact cannot be corrected.
 */
export function planCorrection(state: CorrectionState, wanted: WantedCorrection): CorrectionPlan {
  const { order, certificate } = state;
  const ofOrder = planOrder(state, wanted);
  const wantsContact = wanted.technical !== undefined || wanted.contact !== undefined;
  const ofContacts = certificate && wantsContact ? planContacts(certificate, wanted) : null;
  const barrier = wanted.contact && certificate && whyNotCorrectContact(certificate);
  if (barrier) throw new PortalError(barrier, { code: "correction.contact", status: 409 });
  if (!certificate && order.status === "Paid" && ofOrder.columns.status !== "Paid")
    throw refusal(CODES_PAID, "correction.codes-paid", "country");
  return {
    changes: [...ofOrder.changes, ...(ofContacts?.changes ?? [])],
    order: ofOrder.changes.length > 0 ? ofOrder.columns : null,
    contacts: ofContacts && ofContacts.changes.length > 0 ? ofContacts.columns : null,
    replaced: replacedInvoice(state, ofOrder.changes),
  };
}
