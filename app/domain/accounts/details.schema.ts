import { z } from "zod";
import { checkbox, isBlank, optionalText, requiredText } from "~/lib/fields";
import { addressSchema, personShape } from "./accounts.schema";
import { type LockedFields } from "./details.policy";

/** The rules of the form that depend on the account. */
export interface DetailsRules {
  /** The fields that this person may not change, with their stored values. The values that the form sends for them are ignored. */
  locked: LockedFields;
  /** Whether company numbers and addresses are required. They are optional for staff who order nothing. */
  isRequired: boolean;
}

/** The company to which invoices go, with its address. */
export const invoicingSchema = addressSchema.extend({ company: requiredText(120) });

export type InvoicingForm = z.infer<typeof invoicingSchema>;

/** The company's fields in complete registration and user details. */
export const detailsShape = ({ isRequired }: DetailsRules) => ({
  companyRegistrationNumber: isRequired ? requiredText(70) : optionalText(70),
  taxNumber: optionalText(35),
  companyAddress: addressSchema.optional(),
  useCompanyAddress: checkbox(),
  invoicingAddress: invoicingSchema.optional(),
  vatNumber: optionalText(18),
});

type Fields = Record<string, unknown>;

/** Returns the form without the fields about the company, which only its owners change. What is sent for them is ignored. */
export function withoutCompany(form: unknown): unknown {
  if (typeof form !== "object" || form === null) return form;
  const names = Object.keys(detailsShape({ locked: {}, isRequired: false }));
  return Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)));
}

/** Returns whether nothing was filled in for an address. The company name does not count, because the form prefills it. */
const isUntouched = (address: unknown): boolean =>
  Object.entries((address ?? {}) as Fields).every(
    ([name, value]) => name === "company" || (typeof value === "string" && isBlank(value)),
  );

/**
 * Reduces a form to the fields that the page shows. The invoicing address is omitted while the company address is used for it (CRD-01).
 * Locked fields get their stored values. An empty optional address is omitted, unless it is the invoiced one and a VAT number is given.
 */
export const asShown =
  ({ locked, isRequired }: DetailsRules) =>
  (form: unknown): unknown => {
    if (typeof form !== "object" || form === null) return form;
    const { companyAddress = {}, invoicingAddress = {}, ...rest } = form as Fields;
    const usesCompanyAddress = "useCompanyAddress" in rest;
    const hasVat = typeof rest.vatNumber === "string" && !isBlank(rest.vatNumber);
    const counts = (address: unknown, isInvoiced: boolean) =>
      isRequired || !isUntouched(address) || (isInvoiced && hasVat);
    return {
      ...rest,
      ...locked,
      ...(counts(companyAddress, usesCompanyAddress) && { companyAddress }),
      ...(!usesCompanyAddress && counts(invoicingAddress, true) && { invoicingAddress }),
    };
  };

/** The rules of the complete registration form. */
export interface CompletionRules extends DetailsRules {
  /** Whether the form names the company, too. A registration has named it before; a company that the portal made has no name yet. */
  namesCompany: boolean;
}

const notShown = z.unknown().transform(() => undefined);

/** Returns the schema of the complete registration form. */
export const detailsSchema = (rules: CompletionRules) =>
  z.preprocess(
    asShown(rules),
    z.object({ ...detailsShape(rules), company: rules.namesCompany ? personShape.company : notShown }),
  );

export type CompletedDetails = z.infer<ReturnType<typeof detailsSchema>>;

/** The company's details without its name. */
export type CompanyDetails = Omit<CompletedDetails, "company">;
