import { z } from "zod";
import { contactSchema } from "~/domain/certificates/purchase/contact.schema";
import { type Typed } from "~/domain/drafts/typed-values";
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
        "VAT number with its prefix, e.g. `DE123456789`; required when the country is an EU member or the United Kingdom",
    }),
    position: text().describe("Not stored"),
    country: ignoredObject("Not used: `countryId` is read instead"),
  })
  .strict();

/** Returns an authentication contact in the format of the contact form. */
export const toContactForm = ({ countryId: country, ...rest }: z.output<typeof wireContact>) => ({ ...rest, country });

export const toInvoiceForm = ({ countryId: country, ...rest }: z.output<typeof wireInvoiceAddress>) => ({
  ...rest,
  country,
});

const answeredAddress = {
  name: z.string(),
  company: z.string(),
  email: z.string(),
  addressLine1: z.string(),
  addressLine2: z.string(),
  city: z.string(),
  postalCode: z.string(),
  countryId: z.number().int().describe("-1 when it is not known"),
  phoneNumber: z.string(),
};

/** An authentication contact in an answer. */
export const answeredAuthenticationContact = z.object({ ...answeredAddress, position: z.string() });

/** An invoice address in an answer. */
export const answeredInvoiceAddress = z.object({ ...answeredAddress, vat: z.string() });

function toAnswered({ country, ...typed }: Typed) {
  const { name = "", company = "", email = "", addressLine1 = "", addressLine2 = "", city = "" } = typed;
  const { postalCode = "", phoneNumber = "" } = typed;
  const countryId = country ? Number(country) : -1;
  return { name, company, email, addressLine1, addressLine2, city, postalCode, countryId, phoneNumber };
}

/** Returns the values of a contact form as they are answered. */
export const toAnsweredAuthenticationContact = (typed: Typed): z.input<typeof answeredAuthenticationContact> => ({
  ...toAnswered(typed),
  position: typed.position ?? "",
});

/** Returns the values of an invoice form as they are answered. */
export const toAnsweredInvoiceAddress = (typed: Typed): z.input<typeof answeredInvoiceAddress> => ({
  ...toAnswered(typed),
  vat: typed.vat ?? "",
});
