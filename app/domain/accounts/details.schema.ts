import { z } from "zod";
import { checkbox, isBlank, optionalText, requiredText } from "~/lib/fields";
import { addressSchema } from "./accounts.schema";
import { type LockedFields } from "./details.policy";

/** What of the rules depends on the account. */
export interface DetailsRules {
  /** Fields that this person may not change, with their stored values: what is sent for them is not read. */
  locked: LockedFields;
  /** Staff who order nothing may leave the company's numbers and addresses out. */
  isRequired: boolean;
}

/** The company an invoice goes to, with its address. */
export const invoicingSchema = addressSchema.extend({ company: requiredText(120) });

export type InvoicingForm = z.infer<typeof invoicingSchema>;

/** The company's part of complete registration and user details. */
export const detailsShape = ({ isRequired }: DetailsRules) => ({
  companyRegistrationNumber: isRequired ? requiredText(70) : optionalText(70),
  taxNumber: optionalText(35),
  companyAddress: addressSchema.optional(),
  useCompanyAddress: checkbox(),
  invoicingAddress: invoicingSchema.optional(),
  vatNumber: optionalText(18),
});

type Fields = Record<string, unknown>;

/** An address of which nothing was filled in; the company's name in it is filled in beforehand. */
const isUntouched = (address: unknown): boolean =>
  Object.entries((address ?? {}) as Fields).every(
    ([name, value]) => name === "company" || (typeof value === "string" && isBlank(value)),
  );

/**
 * The form as the page shows it: no invoicing address while the company address is used for it (CRD-01), locked fields as they are
 * stored, and no address that may be left out and was; one that a VAT number is given for may not.
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

/** Complete registration. */
export const detailsSchema = (rules: DetailsRules) => z.preprocess(asShown(rules), z.object(detailsShape(rules)));

export type CompanyDetails = z.infer<ReturnType<typeof detailsSchema>>;
