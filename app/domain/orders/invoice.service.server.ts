import { vatRequired } from "~/domain/accounts/accounts.policy";
import { getProfile, type Profile } from "~/domain/accounts/profile.service.server";
import { INVOICE_FIELDS } from "~/domain/certificates/purchase/fields";
import { prefillProblems } from "~/domain/certificates/purchase/prefill";
import { saveDraft, type Draft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { checkVatOf } from "~/domain/reference/vat-lookups.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { addressText } from "~/lib/postal-address";
import { getDb } from "~db/connection.server";
import { listCountries } from "~db/repositories/countries.server";
import { findLastOrderOf } from "~db/repositories/own-orders.server";
import {
  invoiceAddressSchema,
  parseInvoiceAddress,
  toInvoiceAddress,
  type InvoiceAddress,
  type InvoiceAddressForm,
  type InvoiceCountry,
} from "./invoice-address.schema";
import { orderNumber } from "./order-number";

/** What the draft of every wizard contains: the invoice address as typed. */
export interface WithInvoice {
  invoice?: Typed | undefined;
  /** Who typed it. Without it, whoever began the draft. */
  invoiceBy?: number | undefined;
}

/**
 * Returns the invoice address that this user has typed in a draft. A draft that was handed over may have that of a colleague, which is not
 * for this user's order.
 */
const ownInvoice = (userId: number, draft: Pick<Draft<WithInvoice>, "userId" | "data">): Typed | undefined =>
  (draft.data.invoiceBy ?? draft.userId) === userId ? draft.data.invoice : undefined;

/** Returns the invoice address of a draft for this user: the typed one, or that of the account. */
export const invoiceFor = async (userId: number, draft: Pick<Draft<WithInvoice>, "userId" | "data">): Promise<Typed> =>
  ownInvoice(userId, draft) ?? invoicingAddressOf(await getProfile(userId));

type Country = Omit<InvoiceCountry, "needsVat">;

/** Returns what an invoice address needs to know of a country. */
export const toInvoiceCountry = ({ id, iso, name, euMember }: Country): InvoiceCountry => ({
  ...{ id, iso, name, euMember },
  needsVat: vatRequired({ iso, euMember }),
});

/** Returns the countries for an invoice address, sorted by name, with what the VAT rules need. */
export async function listInvoiceCountries(): Promise<InvoiceCountry[]> {
  const countries = await listCountries(getDb());
  return countries.map(({ printableName, ...country }) => toInvoiceCountry({ ...country, name: printableName }));
}

/** Returns the invoicing address of a profile as form values. Values that are too long are not cut. */
export function invoicingAddressOf({ invoicingAddress: address, ...profile }: Profile): Typed {
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

/** Returns the address with which this user's last order was invoiced, and the number of that order, or null. */
async function lastInvoice(userId: number) {
  const last = await findLastOrderOf(getDb(), userId);
  if (!last) return null;
  const { countryId, country, countryIso: _, ...address } = parseInvoiceAddress(last.invoiceAddress);
  const text = [address.name, address.company, addressText({ ...address, countryId, country })].join(", ");
  return { order: orderNumber(last.id), text, values: { ...address, country: String(countryId) } };
}

/** Whether every value of one address is that of the other one. */
const isSameAddress = (one: Typed, other: Typed): boolean =>
  INVOICE_FIELDS.every((name) => (one[name] ?? "").trim() === (other[name] ?? "").trim());

/**
 * Returns the form of the invoice step: the typed address or the account's, its errors, and what the VAT is calculated from. `lastAddress`
 * describes the address of the user's last order when the form has another one.
 *
 * @param usesLast Whether the form has the address of the last order in place of the others.
 */
export async function invoiceForm(
  userId: number,
  draft: Pick<Draft<WithInvoice>, "userId" | "data">,
  usesLast: boolean,
) {
  const countries = await listInvoiceCountries();
  const last = await lastInvoice(userId);
  const values = (usesLast && last?.values) || (await invoiceFor(userId, draft));
  const isTyped = !usesLast && ownInvoice(userId, draft) !== undefined;
  const problems = isTyped ? {} : prefillProblems(invoiceAddressSchema(countries), values);
  const lastAddress = last && !isSameAddress(last.values, values) ? { order: last.order, text: last.text } : null;
  return { countries, values, lastAddress, problems, vatRate: getConfig().vatRate };
}

/** Saves what was typed in the invoice step. Returns the new draft, or null when the draft is no longer open. */
export const saveInvoice = <Data extends WithInvoice>(
  userId: number,
  draft: Draft<Data>,
  typed: Typed,
): Promise<Draft<Data> | null> => saveDraft(userId, draft, (data) => ({ ...data, invoice: typed, invoiceBy: userId }));

/**
 * Saves the invoice step and clears the VAT number when the country has changed (PUR-09). Needed without scripts, which otherwise clear it.
 * A number that was typed together with the other country stays.
 */
export async function changeCountry<Data extends WithInvoice>(
  userId: number,
  draft: Draft<Data>,
  typed: Typed,
): Promise<void> {
  const { country, vat } = await invoiceFor(userId, draft);
  const isOfFormerCountry = typed.country !== country && typed.vat === vat;
  await saveInvoice(userId, draft, isOfFormerCountry ? { ...typed, vat: "" } : typed);
}

export interface CheckedInvoice {
  address: InvoiceAddress;
  country: InvoiceCountry;
  /** Null where no VAT number is required; false when the VAT service did not answer. */
  isVatChecked: boolean | null;
}

/**
 * Checks the VAT number of an invoice address with the VAT service (PUR-09, CRD-03). Throws a PortalError for the field `vat` when the
 * service says that it is not valid. The order goes on when the service fails or the account has no look-ups left (`checkVatOf`). Must not
 * be called inside a transaction.
 */
export async function checkInvoice(userId: number, form: InvoiceAddressForm, now?: Date): Promise<CheckedInvoice> {
  const country = (await listInvoiceCountries()).find(({ id }) => id === form.country);
  if (!country) throw new PortalError(messages.collection, { code: "invoice.country", field: "country" });
  const address = toInvoiceAddress(form, country);
  if (!country.needsVat) return { address, country, isVatChecked: null };
  const check = await checkVatOf(userId, form.vat, country, now);
  if (check === "invalid") throw new PortalError(messages.vatInvalid, { code: "invoice.vat", field: "vat" });
  return { address, country, isVatChecked: check === "valid" };
}
