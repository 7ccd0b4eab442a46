import { type SessionUser } from "~/domain/accounts/session-user";
import { type ContactSnapshot, parseContact } from "~/domain/certificates/purchase/contact.schema";
import { mayCorrectCertificate } from "~/domain/certificates/succession/correctable.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { listCountryOptions } from "~/domain/reference/countries.server";
import { PortalError } from "~/lib/errors";
import { addressText } from "~/lib/postal-address";
import { type OrderRow } from "~db/repositories/orders.server";
import { parseInvoiceAddress } from "../invoice-address.schema";
import { listInvoiceCountries } from "../invoice.service.server";
import { orderNumber } from "../order-number";
import { CORRECTION_PARTS, type CorrectionPart, PART_TITLES } from "./correction-fields";
import { whyNotCorrectContact } from "./correction-plan.server";
import { correctableOf, type CorrectionState, correctionVersionOf } from "./correction-state.server";
import { correctableUntil, CORRECTIONS_PER_ORDER } from "./corrections.policy";
import { getCorrectionState, requireCorrectableOrder } from "./corrections.service.server";

function invoiceValues({ purchaseOrderNumber, invoiceAddress, vatNumber, countryId }: OrderRow): Typed {
  const { countryId: _, country: __, countryIso: ___, ...address } = parseInvoiceAddress(invoiceAddress);
  return { ...address, country: String(countryId), vat: vatNumber ?? "", purchaseOrderNumber };
}

function contactTyped({ countryId, country: _, hasOtherDomain: __, ...contact }: ContactSnapshot): Typed {
  return { ...contact, country: countryId === null ? "" : String(countryId) };
}

const contactFacts = ({ name, position, company, email, phoneNumber, ...address }: ContactSnapshot) => [
  { term: "Name", detail: [name, position].filter(Boolean).join(", ") },
  { term: "Company", detail: company },
  { term: "Email", detail: email },
  { term: "Address", detail: addressText({ ...address, countryId: address.countryId ?? 0 }) },
  { term: "Phone number", detail: phoneNumber },
];

function orderFacts({ purchaseOrderNumber, invoiceAddress, vatNumber }: OrderRow) {
  const { name, company, email, phoneNumber, vat: _, ...address } = parseInvoiceAddress(invoiceAddress);
  return [
    { term: "Purchase order number", detail: purchaseOrderNumber },
    { term: "Invoice to", detail: [name, company].filter(Boolean).join(", ") },
    { term: "Address", detail: addressText(address) },
    { term: "VAT number", detail: vatNumber ?? "" },
    { term: "Email", detail: email },
    { term: "Phone number", detail: phoneNumber },
  ];
}

/** Returns what an order says in one of its parts, and why this part cannot be corrected; null when it can. */
function partOf({ order, certificate }: CorrectionState, part: CorrectionPart) {
  if (part === "order") return { part, facts: orderFacts(order), values: invoiceValues(order), barrier: null };
  if (!certificate) return null;
  const { technicalContact, authenticationContact } = certificate;
  const contact = parseContact(part === "technical" ? technicalContact : authenticationContact);
  const barrier = part === "contact" ? whyNotCorrectContact(certificate) : null;
  return { part, facts: contactFacts(contact), values: contactTyped(contact), barrier };
}

/** Returns the parts of an order that can be corrected with what they say now. Throws what `requireCorrectableOrder` throws. */
export async function getCorrectionOverview(user: SessionUser, orderId: number, now = new Date()) {
  const state = await getCorrectionState(user, orderId);
  requireCorrectableOrder(state, now);
  const { certificate, corrections } = state;
  const parts = CORRECTION_PARTS.flatMap((part) => partOf(state, part) ?? []);
  return {
    orderNumber: orderNumber(orderId),
    /** An ISO timestamp, or null while the order is open. */
    until: correctableUntil(correctableOf(state))?.toISOString() ?? null,
    left: CORRECTIONS_PER_ORDER - corrections.length,
    parts: parts.map(({ part, facts, barrier }) => ({ part, title: PART_TITLES[part], facts, barrier })),
    /** The contact of a pending order that has not answered is changed on another page. */
    changesContact: certificate?.status === "Pending" && certificate.contactAnswer === null,
    /** The certificate, when another one can be ordered in its place. */
    certificateId: certificate && (await mayCorrectCertificate(user, certificate, now)) ? certificate.id : null,
  };
}

export type CorrectionOverview = Awaited<ReturnType<typeof getCorrectionOverview>>;

/**
 * Returns the form with which one part of an order is corrected, with the present values. Throws what `requireCorrectableOrder` throws, and a
 * PortalError (409) when this part cannot be corrected.
 */
export async function getCorrectionForm(user: SessionUser, orderId: number, part: CorrectionPart, now = new Date()) {
  const state = await getCorrectionState(user, orderId);
  requireCorrectableOrder(state, now);
  const found = partOf(state, part);
  const barrier = found ? found.barrier : "The order has no contacts: it is not for a certificate.";
  if (!found || barrier !== null) throw new PortalError(barrier ?? "", { code: "correction.contact", status: 409 });
  return {
    part,
    title: PART_TITLES[part],
    orderNumber: orderNumber(orderId),
    values: found.values,
    seen: correctionVersionOf(state),
    isCertificate: state.certificate !== null,
    invoiceCountries: part === "order" ? await listInvoiceCountries() : [],
    countries: part === "order" ? [] : await listCountryOptions(),
  };
}

export type CorrectionFormData = Awaited<ReturnType<typeof getCorrectionForm>>;
