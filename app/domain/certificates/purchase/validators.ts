import { type InvoiceCountry } from "~/domain/orders/invoice-address.schema";
import { lazyValidator } from "~/lib/lazy-validator";
import { type ContactRules } from "./contact.policy";

export const contactValidator = (rules: ContactRules) =>
  lazyValidator(() => import("./contact.schema").then(({ contactSchemaFor }) => contactSchemaFor(rules)));
export const orderValidator = lazyValidator(() =>
  import("./order-form.schema").then(({ orderFormSchema }) => orderFormSchema),
);
export const renewalValidator = (refusals: Readonly<Record<string, string>>, asksForTerms: boolean) =>
  lazyValidator(() =>
    import("./order-form.schema").then(({ renewalFormSchema }) => renewalFormSchema(refusals, asksForTerms)),
  );
export const invoiceValidator = (countries: readonly InvoiceCountry[]) =>
  lazyValidator(() =>
    import("~/domain/orders/invoice-address.schema").then(({ invoiceAddressSchema }) =>
      invoiceAddressSchema(countries),
    ),
  );
