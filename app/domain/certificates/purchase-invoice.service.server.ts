import { createHash } from "node:crypto";
import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getProfile } from "~/domain/accounts/profile.service.server";
import {
  invoiceAddressSchema,
  toInvoiceAddress,
  type InvoiceAddress,
  type InvoiceAddressForm,
  type InvoiceCountry,
} from "~/domain/orders/invoice-address.schema";
import { certificatePrice } from "~/domain/orders/price.policy";
import { checkPromotion } from "~/domain/orders/promotion.service.server";
import { checkVatNumber } from "~/domain/reference/vat.service.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { listCountries } from "~db/repositories/countries.server";
import { shownCsr } from "./csr-import.service.server";
import { type PurchaseDraft, type Typed } from "./drafts.schema";
import { saveDraft, type Draft } from "./drafts.service.server";
import { chosenTerm } from "./original.server";
import { prefillProblems } from "./prefill";
import { type OpenOrder } from "./open-order.server";
import { contactOf, orderOf } from "./purchase.policy";
import { certifiedDetails } from "./renewal-view.server";

/** The countries of an invoice address with what VAT needs to know of them, by name. */
export async function listInvoiceCountries(): Promise<InvoiceCountry[]> {
  const countries = await listCountries(getDb());
  return countries.map(({ id, iso, printableName, euMember }) => ({ id, iso, name: printableName, euMember }));
}

/** The account's invoicing address as the form's values; nothing is cut, whatever its length. */
async function invoicingAddress(userId: number): Promise<Typed> {
  const { invoicingAddress: address, ...profile } = await getProfile(userId);
  return {
    name: `${profile.firstName} ${profile.lastName}`,
    company: address?.company ?? profile.company,
    email: profile.email,
    addressLine1: address?.street1 ?? "",
    addressLine2: address?.street2 ?? "",
    city: address?.city ?? "",
    postalCode: address?.postcode ?? "",
    country: address ? String(address.countryId) : "",
    phoneNumber: profile.telephoneNumber,
    vat: profile.vatNumber ?? "",
  };
}

/** The order with its price as it stands now. Throws a PortalError when the promotion code does not count any more. */
export async function pricedOrder({ draft: { data }, original }: OpenOrder, now = new Date()) {
  const order = orderOf(data, original);
  const contact = contactOf(data);
  if (!order || !contact || !data.imported) throw new Error("the order's earlier steps are missing");
  const { promotion, problem, discountCents } = await checkPromotion(
    getDb(),
    order.promoCode,
    order.validityPeriod,
    now,
  );
  const perYearCents = getConfig().prices.certificatePerYearCents;
  const price = certificatePrice({ perYearCents, years: order.validityPeriod, discountCents });
  return { order, contact, details: data.imported.details, promotion: problem ? null : promotion, problem, price };
}

/** Names what the third step shows of the earlier ones: another window that changes them changes it. */
export const orderVersion = ({ invoice: _, ...shown }: PurchaseDraft): string =>
  createHash("sha256").update(JSON.stringify(shown)).digest("base64url");

/** The third step's page: the order to look over, the invoice address, and what VAT is calculated from. */
export async function invoiceStep(userId: number, open: OpenOrder, now = new Date()) {
  const { draft, original } = open;
  const { order, contact, details, price, problem } = await pricedOrder(open, now);
  const countries = await listInvoiceCountries();
  const values = draft.data.invoice ?? (await invoicingAddress(userId));
  return {
    version: orderVersion(draft.data),
    order,
    contact,
    contactCountry: countries.find(({ id }) => id === contact.country)?.name ?? "",
    details: shownCsr(original ? certifiedDetails(details, original) : details),
    renewal: original && chosenTerm(original, order.validityPeriod),
    price,
    promotionProblem: problem,
    vatRate: getConfig().vatRate,
    countries,
    values,
    problems: draft.data.invoice ? {} : prefillProblems(invoiceAddressSchema(countries), values),
  };
}

/** Keeps what was typed in the third step. Out: the draft after it, or null when it is open no more. */
export const saveInvoice = (
  userId: number,
  draft: Draft<PurchaseDraft>,
  typed: Typed,
): Promise<Draft<PurchaseDraft> | null> => saveDraft(userId, draft, (data) => ({ ...data, invoice: typed }));

/** The same where no script did it already: another country clears the VAT number (B §5). */
export async function changeCountry(userId: number, draft: Draft<PurchaseDraft>, typed: Typed): Promise<void> {
  const { country } = draft.data.invoice ?? (await invoicingAddress(userId));
  await saveInvoice(userId, draft, typed.country === country ? typed : { ...typed, vat: "" });
}

export interface CheckedInvoice {
  address: InvoiceAddress;
  country: InvoiceCountry;
  /** Null where no VAT number is required; false when the service could not say. */
  isVatChecked: boolean | null;
}

/**
 * Asks the VAT service about the invoice address's number (B §5). Throws a PortalError at `vat` when it says no; a service that
 * fails lets the order go on. Never inside a transaction.
 */
export async function checkInvoice(form: InvoiceAddressForm): Promise<CheckedInvoice> {
  const country = (await listInvoiceCountries()).find(({ id }) => id === form.country);
  if (!country) throw new PortalError(messages.collection, { code: "invoice.country", field: "country" });
  const address = toInvoiceAddress(form, country);
  if (!vatRequired(country)) return { address, country, isVatChecked: null };
  const check = await checkVatNumber(form.vat, country);
  if (check === "invalid") throw new PortalError(messages.vatInvalid, { code: "invoice.vat", field: "vat" });
  return { address, country, isVatChecked: check === "valid" };
}
