/** Identifier octets of X.690 as they appear in X.509 (all below the multi-byte form). */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** `[n]` around or instead of a primitive value (IMPLICIT). */
export const contextTag = (number: number): number => 0x80 | number;

/** `[n]` holding other elements (EXPLICIT, or IMPLICIT over a SEQUENCE). */
export const contextConstructedTag = (number: number): number => 0xa0 | number;
