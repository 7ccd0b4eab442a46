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

/** The typed values from which the order step makes a CSR. */
export interface MakeValues {
  host?: string;
}

/**
 * Returns the details of a CSR that the order step makes.
 *
 * @param known The details from the account, or from the certificate that is renewed.
 * @param typed The values of the form. A host name that is typed becomes a DNS name as well, an IP address an IP address.
 */
export function detailsToMake(known: PreparationValues, { host }: MakeValues): PreparationValues {
  const commonName = (host ?? known.commonName).trim();
  if (commonName === known.commonName) return known;
  const isAddress = /^[\d.]+$|:/.test(commonName);
  return { ...known, commonName, [isAddress ? "ipAddresses" : "dnsNames"]: commonName };
}
