/** The fields that make up a CSR, in the order of the page. They are also the parameters of the page's query string. */
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

/** RSA modulus lengths in bits. */
export const KEY_SIZES = [2048, 3072, 4096] as const;
export const DEFAULT_KEY_SIZE = 3072;

/** The fewest characters of the passphrase of a key that is created in the browser. */
export const PASSPHRASE_MIN = 12;
