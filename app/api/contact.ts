import { z } from "zod";
import { countryId, text } from "./wire";

const postal = {
  name: text(),
  company: text(),
  email: text(),
  addressLine1: text(),
  addressLine2: text(),
  city: text(),
  postalCode: text(),
  countryId: countryId(),
  phoneNumber: text(),
};

/** An authentication contact as B §3 has it. */
export const wireContact = z.object({ ...postal, position: text() }).strict();

/** An invoice address as B §3 has it, with the VAT number of its form. */
export const wireInvoiceAddress = z
  .object({
    ...postal,
    vat: text(),
    position: text().describe("Not stored"),
    country: z.object({}).passthrough().nullish().describe("Not used: `countryId` says it"),
  })
  .strict();

/** As the forms send them. */
export const toContactForm = ({ countryId: country, ...rest }: z.output<typeof wireContact>) => ({ ...rest, country });

export const toInvoiceForm = ({ countryId: country, ...rest }: z.output<typeof wireInvoiceAddress>) => ({
  ...rest,
  country,
});
