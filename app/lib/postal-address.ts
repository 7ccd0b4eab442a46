/** ISO 3166-1 numbers, which are the ids of the countries, for those where the postal code comes before the city. */
export const CODE_BEFORE_CITY: Readonly<Record<string, number>> = {
  AD: 20,
  AL: 8,
  AT: 40,
  AX: 248,
  BA: 70,
  BE: 56,
  BG: 100,
  BY: 112,
  CH: 756,
  CY: 196,
  CZ: 203,
  DE: 276,
  DK: 208,
  EE: 233,
  ES: 724,
  FI: 246,
  FO: 234,
  FR: 250,
  GL: 304,
  GR: 300,
  HR: 191,
  HU: 348,
  IS: 352,
  IT: 380,
  LI: 438,
  LT: 440,
  LU: 442,
  MA: 504,
  MC: 492,
  MD: 498,
  ME: 499,
  MK: 807,
  MX: 484,
  MY: 458,
  NL: 528,
  NO: 578,
  PL: 616,
  PT: 620,
  RO: 642,
  RS: 688,
  SE: 752,
  SI: 705,
  SJ: 744,
  SK: 703,
  SM: 674,
  TN: 788,
  TR: 792,
  VA: 336,
  XK: 983,
};
const codeBeforeCity = new Set(Object.values(CODE_BEFORE_CITY));

/** An address of a form or a stored order. Some stored orders do not have all the parts. */
export interface PostalAddress {
  addressLine1?: string;
  addressLine2?: string;
  addressLine3?: string;
  city?: string;
  postalCode?: string;
  region?: string;
  countryId?: number | null;
  /** The name of the country. */
  country?: string;
}

const trimmed = (parts: readonly (string | undefined)[]) => parts.map((part = "") => part.trim()).filter(Boolean);

/**
 * Returns the lines of an address without empty ones. All pages and documents use it. City and postal code share a line: `08056 Zwickau` in
 * the countries above, as in nearly all of Europe; `Coventry CV1 1AA` in the United Kingdom, Ireland and all others.
 */
export function addressLines({ city, postalCode, countryId, country, region, ...address }: PostalAddress): string[] {
  const isCodeFirst = codeBeforeCity.has(countryId ?? 0);
  const place = trimmed(isCodeFirst ? [postalCode, city] : [city, postalCode]).join(" ");
  return trimmed([address.addressLine1, address.addressLine2, address.addressLine3, place, region, country]);
}

/** Returns an address in one line. */
export const addressText = (address: PostalAddress): string => addressLines(address).join(", ");
