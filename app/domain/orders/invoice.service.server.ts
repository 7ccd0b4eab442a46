import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { prefillProblems } from "~/domain/certificates/purchase/prefill";
import { saveDraft, type Draft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { checkVatOf } from "~/domain/reference/vat-lookups.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { listCountries } from "~db/repositories/countries.server";
import {
  invoiceAddressSchema,
  toInvoiceAddress,
  type InvoiceAddress,
  type InvoiceAddressForm,
  type InvoiceCountry,
} from "./invoice-address.schema";

/** What every wizard's draft has: the invoice address as it was typed. */
export interface WithInvoice {
  invoice?: Typed | undefined;
}

/** The countries of an invoice address with what VAT needs to know of them, by name. */
export async function listInvoiceCountries(): Promise<InvoiceCountry[]> {
  const countries = await listCountries(getDb());
  return countries.map(({ id, iso, printableName, euMember }) => ({ id, iso, name: printableName, euMember }));
}

/** The account's invoicing address as the form's values; nothing is cut, whatever its length. */
export async function invoicingAddress(userId: number): Promise<Typed> {
  const { invoicingAddress: address, ...profile } = await getProfile(userId);
  return {
    name: `${profile.firstName} ${profile.lastName}`,
    company: address?.company ?? profile.company,
    email: profile.email,
    addressLine1: address?.addressLine1 ?? "",
    addressLine2: address?.addressLine2 ?? "",
    city: address?.city ?? "",
    postalCode: address?.postalCode ?? "",
    country: address ? String(address.country) : "",
    phoneNumber: profile.telephoneNumber,
    vat: profile.vatNumber ?? "",
  };
}

/** The invoice step's form: what was typed or the account's address, and what VAT is calculated from. */
export async function invoiceForm(userId: number, { invoice }: WithInvoice) {
  const countries = await listInvoiceCountries();
  const values = invoice ?? (await invoicingAddress(userId));
  const problems = invoice ? {} : prefillProblems(invoiceAddressSchema(countries), values);
  return { countries, values, problems, vatRate: getConfig().vatRate };
}

/** Keeps what was typed in the invoice step. Out: the draft after it, or null when it is open no more. */
export const saveInvoice = <Data extends WithInvoice>(
  userId: number,
  draft: Draft<Data>,
  typed: Typed,
): Promise<Draft<Data> | null> => saveDraft(userId, draft, (data) => ({ ...data, invoice: typed }));

/** The same where no script did it already: another country clears the VAT number (PUR-09). */
export async function changeCountry<Data extends WithInvoice>(
  userId: number,
  draft: Draft<Data>,
  typed: Typed,
): Promise<void> {
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
 * Asks the VAT service about the number in a customer's invoice address (PUR-09, CRD-03). Throws a PortalError at `vat` when it says no; a service
 * that fails, or may not be asked any more now (`checkVatOf`), lets the order go on. Never inside a transaction.
 */
export async function checkInvoice(userId: number, form: InvoiceAddressForm, now?: Date): Promise<CheckedInvoice> {
  const country = (await listInvoiceCountries()).find(({ id }) => id === form.country);
  if (!country) throw new PortalError(messages.collection, { code: "invoice.country", field: "country" });
  const address = toInvoiceAddress(form, country);
  if (!vatRequired(country)) return { address, country, isVatChecked: null };
  const check = await checkVatOf(userId, form.vat, country, now);
  if (check === "invalid") throw new PortalError(messages.vatInvalid, { code: "invoice.vat", field: "vat" });
  return { address, country, isVatChecked: check === "valid" };
}
