import { type NewRow } from "~db/tables";
import { type AddressForm } from "./accounts.schema";

/** An address as forms and files have it, as it is stored. `company` is whose address it is. */
export const toAddressRow = (userId: number, address: AddressForm, company: string): NewRow<"addresses"> => ({
  userId,
  company,
  street1: address.addressLine1,
  street2: address.addressLine2 || null,
  street3: address.addressLine3 || null,
  city: address.city,
  region: address.region || null,
  postcode: address.postalCode,
  countryId: address.country,
});
