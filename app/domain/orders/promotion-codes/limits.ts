/** The characters of generated codes. Those that look like others (0 and O, 1 and I) are missing. */
export const CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/** Returns whether spreadsheets would take a code for a number and change it: digits only, or digits with an exponent (`2E34567893`). */
export const isNumberToSpreadsheets = (code: string): boolean => /^\d+(E\d+)?$/.test(code);
/** The length of a generated code; PUR-07 allows 9 and 10. */
export const CODE_LENGTH = 10;
/** The maximum length of a prefix. Seven random characters remain, which are 35 bits; tries are limited (`promotion-account`). */
export const PREFIX_LIMIT = 3;
export const BATCH_LIMIT = 10_000;
/** In integer cents. */
export const VALUE_LIMIT = 1_000_000;
/** The longest validity period of a certificate, in months. */
export const MONTHS_LIMIT = 48;

export const PROMOTION_CODE_LABELS = {
  code: "Promotion code",
  count: "Number of codes",
  prefix: "Prefix",
  value: "Value in euro",
  months: "Months",
  validUntil: "Valid until",
} as const;

export const CODE_CHARACTERS = "Use the letters A to Z and digits only.";
export const DAY_PASSED = "The date is in the past.";
