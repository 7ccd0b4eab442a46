import { withZod } from "@remix-validated-form/with-zod";
import { invoiceAddressSchema, type InvoiceCountry } from "~/domain/orders/invoice-address.schema";
import { type ContactRules } from "./contact.policy";
import { contactSchemaFor } from "./contact.schema";
import { orderFormSchema, renewalFormSchema } from "./order-form.schema";

/** The steps' forms as browser and server check them. */
export const contact = (rules: ContactRules) => withZod(contactSchemaFor(rules));
export const order = withZod(orderFormSchema);
export const renewal = (refusals: Readonly<Record<string, string>>) => withZod(renewalFormSchema(refusals));
export const invoiceAddress = (countries: readonly InvoiceCountry[]) => withZod(invoiceAddressSchema(countries));
