import { z } from "zod";
import { contactSchema } from "~/domain/certificates/purchase/contact.schema";
import { invoiceShape } from "~/domain/orders/invoice-address.schema";
import { wireCountryId, ignoredObject, text, textBy, textsBy } from "./wire";

const { country: _, ...contactRules } = contactSchema.shape;
const { country: __, vat, ...invoiceRules } = invoiceShape.shape;

/** An authentication contact (PUR-02). */
export const wireContact = z.object({ ...textsBy(contactRules), countryId: wireCountryId() }).strict();

/** An invoice address (PUR-09), with the VAT number of its form. */
export const wireInvoiceAddress = z
  .object({
    ...textsBy(invoiceRules),
    countryId: wireCountryId(),
    vat: textBy(vat, {
      description:
        "VAT number with its prefix, e.g. `DE123456789`; needed where the country is an EU member or the United Kingdom",
    }),
    position: text().describe("Not stored"),
    country: ignoredObject("Not used: `countryId` says it"),
  })
  .strict();

/** Returns an authentication contact in the format of the contact form. */
export const toContactForm = ({ countryId: country, ...rest }: z.output<typeof wireContact>) => ({ ...rest, country });

export const toInvoiceForm = ({ countryId: country, ...rest }: z.output<typeof wireInvoiceAddress>) => ({
  ...rest,
  country,
});
