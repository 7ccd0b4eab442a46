import { z } from "zod";
import { type AddressForm, addressSchema } from "~/domain/accounts/accounts.schema";
import { invoicingSchema } from "~/domain/accounts/details.schema";
import { type WireNames } from "./check";
import { wireCountryId, text, textBy } from "./wire";

const rules = addressSchema.shape;

/** An address (CRD-06). */
export const wireAddress = z
  .object({
    id: z.number().int().optional().describe("Not used"),
    street1: textBy(rules.addressLine1),
    street2: textBy(rules.addressLine2),
    street3: textBy(rules.addressLine3),
    city: textBy(rules.city),
    postcode: textBy(rules.postalCode),
    countryId: wireCountryId(),
    subcountryCode: textBy(rules.region, { description: "Region" }),
    company: text().describe("Not used"),
  })
  .strict();

/** The address of an invoice, with the company that receives it. */
export const wireInvoicingAddress = wireAddress.extend({ company: textBy(invoicingSchema.shape.company) });

/** An address in an answer. */
export const answeredAddress = z.object({
  id: z.number().int(),
  street1: z.string(),
  street2: z.string(),
  street3: z.string(),
  city: z.string(),
  postcode: z.string(),
  countryId: z.number().int(),
  subcountryCode: z.string(),
  company: z.string(),
});

/** The API's names of the address fields, by the names in the forms. */
export const ADDRESS_NAMES: WireNames = {
  addressLine1: "street1",
  addressLine2: "street2",
  addressLine3: "street3",
  postalCode: "postcode",
  country: "countryId",
  region: "subcountryCode",
};

type WireAddress = z.output<typeof wireAddress>;

/** Returns an address in the format of the forms. */
export const toAddressForm = ({ street1, street2, street3, city, postcode, ...rest }: WireAddress) => ({
  addressLine1: street1,
  addressLine2: street2,
  addressLine3: street3,
  city,
  postalCode: postcode,
  region: rest.subcountryCode,
  country: rest.countryId,
  company: rest.company,
});

interface AddressChoice {
  /** Whether another address is used instead. When this is omitted, an address of null means that another one is used. */
  isShared?: boolean | null | undefined;
  sent: WireAddress | null | undefined;
  /** The stored address in the format of the form, or null when another address is used instead. */
  stored: unknown;
}

/**
 * Returns the address fields of a form, named `name`, or the ticked box `box` when the form uses another address instead. An address that
 * was not sent stays as stored.
 */
export function addressFields(name: string, box: string, { isShared, sent, stored }: AddressChoice) {
  const own = sent === undefined ? stored : sent && toAddressForm(sent);
  return (isShared ?? own === null) ? { [box]: true } : { [name]: own ?? {} };
}

interface StoredAddress extends AddressForm {
  id: number;
  company: string | null;
}

/** Returns a stored address in the format of the answers. */
export const toAnsweredAddress = (address: StoredAddress) => ({
  id: address.id,
  street1: address.addressLine1,
  street2: address.addressLine2,
  street3: address.addressLine3,
  city: address.city,
  postcode: address.postalCode,
  countryId: address.country,
  subcountryCode: address.region,
  company: address.company ?? "",
});
