interface Address {
  addressLine1: string;
  addressLine2?: string;
  city: string;
  postalCode: string;
  /** Its name. */
  country: string;
}

/** An address in one line, in the order of its fields (B §5). */
export const addressText = ({ addressLine1, addressLine2, city, postalCode, country }: Address): string =>
  [addressLine1, addressLine2, city, postalCode, country].filter(Boolean).join(", ");
