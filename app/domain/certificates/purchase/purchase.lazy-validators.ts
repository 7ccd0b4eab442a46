import { type InvoiceCountry } from "~/domain/orders/invoice-address.schema";
import { lazyValidator } from "~/lib/lazy-validator";
import { type ContactRules } from "./contact.policy";

// Routes import these only: a second, static way to the schemas would bring them into the page's own script.
const load = () => import("./purchase.validators");

export const contactValidator = (rules: ContactRules) => lazyValidator(() => load().then((all) => all.contact(rules)));
export const orderValidator = lazyValidator(() => load().then((all) => all.order));
export const renewalValidator = (refusals: Readonly<Record<string, string>>) =>
  lazyValidator(() => load().then((all) => all.renewal(refusals)));
export const invoiceValidator = (countries: readonly InvoiceCountry[]) =>
  lazyValidator(() => load().then((all) => all.invoiceAddress(countries)));
