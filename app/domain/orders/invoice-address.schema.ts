import { z } from "zod";
import { normaliseVat, vatNumberProblem } from "~/domain/reference/vat.schema";
import { countryId, email, optionalText, requiredText, telephone } from "~/lib/fields";
import { messages } from "~/lib/messages";

export interface InvoiceCountry {
  id: number;
  iso: string;
  name: string;
  euMember: boolean;
  /** Whether companies there must give a VAT number (`vatRequired`). */
  needsVat: boolean;
}

/** The rules of PUR-09 that do not depend on other fields. */
export const invoiceShape = z.object({
  name: requiredText(120),
  company: requiredText(120),
  email: email(200),
  addressLine1: requiredText(60),
  addressLine2: optionalText(60),
  city: requiredText(90),
  postalCode: requiredText(10),
  country: countryId(),
  phoneNumber: telephone(25),
  vat: optionalText(18),
});

export type InvoiceAddressForm = z.infer<typeof invoiceShape>;

const record = (raw: unknown): Record<string, unknown> => (raw !== null && typeof raw === "object" ? { ...raw } : {});

/**
 * Returns the schema of an order's invoice address, with the allowed countries and the form of the VAT number. The VAT number counts only
 * where it is required; elsewhere its block is hidden and its value is ignored. Only the server asks the VAT service.
 */
export const invoiceAddressSchema = (countries: readonly InvoiceCountry[]) =>
  z.unknown().transform((raw, context) => {
    const values = record(raw);
    const country = countries.find(({ id }) => String(id) === values.country);
    const vat = country?.needsVat && typeof values.vat === "string" ? normaliseVat(values.vat) : "";
    const { data, error } = invoiceShape.safeParse({ ...values, vat });
    for (const issue of error?.issues ?? []) context.addIssue(issue);
    const problem = country ? vatNumberProblem(vat, country) : null;
    if (problem) context.addIssue({ code: "custom", path: ["vat"], message: problem });
    if (data && !country) context.addIssue({ code: "custom", path: ["country"], message: messages.collection });
    return data ?? z.NEVER;
  });

/** The address as it is stored with the order, as JSON in orders.invoice_address. */
export interface InvoiceAddress extends Omit<InvoiceAddressForm, "country"> {
  countryId: number;
  country: string;
  countryIso: string;
}

export const toInvoiceAddress = (
  { country: _, ...form }: InvoiceAddressForm,
  country: InvoiceCountry,
): InvoiceAddress => ({
  ...form,
  countryId: country.id,
  country: country.name,
  countryIso: country.iso,
});

/** Parses the JSON that is stored with an order. */
export const parseInvoiceAddress = (json: string): InvoiceAddress => JSON.parse(json) as InvoiceAddress;
