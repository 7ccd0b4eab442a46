/** Letters and digits of generated codes: without those that look like others (0 O, 1 I). */
export const CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/** Whether spreadsheets would take a code for a number, and spoil it: digits alone, or with an exponent (`2E34567893`). */
export const isNumberToSpreadsheets = (code: string): boolean => /^\d+(E\d+)?$/.test(code);
/** Length of a generated code; PUR-07 allows 9 and 10. */
export const CODE_LENGTH = 10;
/** Leaves seven random characters, 35 bits, of which tries are limited (`promotion-account`). */
export const PREFIX_LIMIT = 3;
export const BATCH_LIMIT = 10_000;
/** Integer cents. */
export const VALUE_LIMIT = 1_000_000;
/** The longest validity period of a certificate. */
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
export const DAY_PASSED = "The day has passed.";
