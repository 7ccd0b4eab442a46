/** What a CSR is made of, in the order of the page; the parameters of its address. */
export const PREPARATION_FIELDS = [
  "commonName",
  "organisation",
  "organisationUnit",
  "city",
  "state",
  "country",
  "email",
  "oftpid",
  "dnsNames",
  "ipAddresses",
  "keySize",
] as const;

export type PreparationField = (typeof PREPARATION_FIELDS)[number];
export type PreparationValues = Record<PreparationField, string>;

/** RSA modulus lengths in bits; the middle one is the default. */
export const KEY_SIZES = [2048, 3072, 4096] as const;
export const DEFAULT_KEY_SIZE = 3072;

/** The shortest passphrase of a key made in the browser. */
export const PASSPHRASE_MIN = 12;
