/** KeyUsage bits (RFC 5280 §4.2.1.3). nonRepudiation is the older name of contentCommitment and is familiar to users of OpenSSL. */
export const KEY_USAGE_BITS = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyEncipherment: 2,
  dataEncipherment: 3,
  keyAgreement: 4,
  keyCertSign: 5,
  cRLSign: 6,
  encipherOnly: 7,
  decipherOnly: 8,
} as const;

export type KeyUsageName = keyof typeof KEY_USAGE_BITS;

/** Key purposes (RFC 5280 §4.2.1.12, RFC 6960 §4.2.2.2). */
export const EXTENDED_KEY_USAGE_OIDS = {
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  emailProtection: "1.3.6.1.5.5.7.3.4",
  OCSPSigning: "1.3.6.1.5.5.7.3.9",
} as const;

export type ExtendedKeyUsageName = keyof typeof EXTENDED_KEY_USAGE_OIDS;

/** Returns the names of the bits that are set. */
export const keyUsageNames = (bits: readonly number[]): string[] =>
  Object.entries(KEY_USAGE_BITS)
    .filter(([, bit]) => bits.includes(bit))
    .map(([name]) => name);

/** Returns the name of a key purpose, or its OID when it is not in the table. */
export const extendedKeyUsageName = (oid: string): string =>
  Object.entries(EXTENDED_KEY_USAGE_OIDS).find(([, known]) => known === oid)?.[0] ?? oid;
