import { type AddressForm } from "./accounts.schema";

/** Returns the lines of an address. The keys are always in the same order, whichever form or row the address comes from. */
export const addressPart = ({
  addressLine1,
  addressLine2,
  addressLine3,
  city,
  postalCode,
  region,
  country,
}: AddressForm) => ({
  addressLine1,
  addressLine2,
  addressLine3,
  city,
  postalCode,
  region,
  country,
});

/** Returns an address as the initial values of its form fields. */
export const fieldsOf = ({ country, ...texts }: AddressForm) => ({ ...texts, country: String(country) });
