/** The ids of the steps' forms. Pages and answers use the same ones. */
export const STEP_FORMS = {
  contact: "contact-details",
  order: "certificate-order",
  invoice: "invoice-address",
} as const;

/** The fields of the purchase's steps. Each array is in the order of its page. */
export const CONTACT_FIELDS = [
  "name",
  "company",
  "position",
  "email",
  "addressLine1",
  "addressLine2",
  "city",
  "postalCode",
  "country",
  "phoneNumber",
] as const;

/** The labels of the fields of the contact and the invoice address. */
export const ADDRESS_LABELS = {
  name: "Name",
  company: "Company",
  position: "Position",
  email: "Email",
  addressLine1: "Address line 1",
  addressLine2: "Address line 2",
  city: "City",
  postalCode: "Postal code",
  country: "Country",
  phoneNumber: "Phone number",
  vat: "VAT number",
} as const;

/** The usage attributes of a certificate. */
export const USAGE_FLAGS = ["hasSecureSession", "hasEmail", "hasEncryption", "hasFileSigning"] as const;
export type UsageFlag = (typeof USAGE_FLAGS)[number];

/** The labels of the usage attributes, in the order of the pages. */
export const USAGE_LABELS: Record<UsageFlag, string> = {
  hasSecureSession: "Secure session",
  hasEmail: "E-mail",
  hasEncryption: "Encryption",
  hasFileSigning: "File signing",
};

/** Returns for each usage attribute whether it is among these. */
export const usageFlags = (chosen: readonly UsageFlag[]): Record<UsageFlag, boolean> =>
  Object.fromEntries(USAGE_FLAGS.map((flag) => [flag, chosen.includes(flag)])) as Record<UsageFlag, boolean>;

export const ORDER_FIELDS = [
  "csrWay",
  "host",
  "csr",
  "csrFile",
  "oftpid",
  "showUsageAttributes",
  "usage",
  ...USAGE_FLAGS,
  "validityPeriod",
  "purchaseOrderNumber",
  "promoCode",
  "termsAndConditionsAccepted",
] as const;

export const INVOICE_FIELDS = [
  "name",
  "company",
  "email",
  "addressLine1",
  "addressLine2",
  "city",
  "postalCode",
  "country",
  "phoneNumber",
  "vat",
] as const;

export const VALIDITY_YEARS = [1, 2, 3, 4] as const;
export const LONGEST_VALIDITY_YEARS = Math.max(...VALIDITY_YEARS);
/** 0 years: the new certificate ends when the renewed one does. */
export const RENEWAL_YEARS = [0, ...VALIDITY_YEARS] as const;
export const DEFAULT_YEARS = 1;
