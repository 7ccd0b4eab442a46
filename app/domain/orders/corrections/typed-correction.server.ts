import { type Contact, type ContactSnapshot } from "~/domain/certificates/purchase/contact.schema";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { findCountry } from "~db/repositories/countries.server";
import { type InvoiceAddressForm, toInvoiceAddress } from "../invoice-address.schema";
import { checkInvoice, type CheckedInvoice, listInvoiceCountries } from "../invoice.service.server";
import { type WantedCorrection } from "./correction-plan.server";
import { type CorrectionState } from "./correction-state.server";

/** What a customer typed, as the schemas read it. Parts that are missing stay as they are. */
export interface TypedCorrection {
  purchaseOrderNumber?: string;
  invoice?: InvoiceAddressForm;
  technical?: Contact;
  contact?: Omit<Contact, "email">;
}

/** Checks the VAT number as the wizard does when it or the country is another one. A number that stays keeps what was found out about it. */
async function checkedInvoice(
  userId: number,
  { order }: CorrectionState,
  form: InvoiceAddressForm,
  now: Date,
): Promise<CheckedInvoice> {
  const country = (await listInvoiceCountries()).find(({ id }) => id === form.country);
  const isSame = country?.id === order.countryId && (order.vatNumber ?? "") === form.vat;
  if (!isSame) return checkInvoice(userId, form, now);
  return { address: toInvoiceAddress(form, country), country, isVatChecked: order.vatNumberChecked };
}

/** Returns a contact with the name of its country. Throws a PortalError for the field `country` when there is no such country. */
async function withCountry<Typed extends { country: number }>({ country, ...details }: Typed) {
  const found = await findCountry(getDb(), country);
  if (!found) throw new PortalError(messages.collection, { code: "contact.country", field: "country" });
  return { ...details, countryId: country, country: found.name };
}

/**
 * Checks what needs more than the schemas: the VAT number and the countries. Throws a PortalError for the field that is wrong. Must not be
 * called inside a transaction.
 */
export async function checkTyped(
  userId: number,
  state: CorrectionState,
  { purchaseOrderNumber, invoice, technical, contact }: TypedCorrection,
  now: Date,
): Promise<WantedCorrection> {
  return {
    ...(purchaseOrderNumber !== undefined && { purchaseOrderNumber }),
    ...(invoice && { invoice: await checkedInvoice(userId, state, invoice, now) }),
    ...(technical && { technical: (await withCountry(technical)) satisfies ContactSnapshot }),
    ...(contact && { contact: await withCountry(contact) }),
  };
}
