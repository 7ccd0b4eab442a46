import { formValidator } from "~/lib/validation";
import { invoiceAddressSchema, type InvoiceCountry } from "~/domain/orders/invoice-address.schema";
import { type ContactRules } from "./contact.policy";
import { contactSchemaFor } from "./contact.schema";
import { orderFormSchema, renewalFormSchema } from "./order-form.schema";

/** The steps' forms as browser and server check them. */
export const contact = (rules: ContactRules) => formValidator(contactSchemaFor(rules));
export const order = formValidator(orderFormSchema);
export const renewal = (refusals: Readonly<Record<string, string>>) => formValidator(renewalFormSchema(refusals));
export const invoiceAddress = (countries: readonly InvoiceCountry[]) => formValidator(invoiceAddressSchema(countries));
