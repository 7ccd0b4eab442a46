import * as asn1js from "asn1js";

/** Identifier octet of a SEQUENCE. */
export const SEQUENCE = 0x30;

/** Identifier octet of the constructed context-specific tag [number]. */
export const contextTag = (number: number): number => 0xa0 | number;

/** Returns the tag and length of an element whose content has `length` bytes (X.690 §8.1, DER definite form). */
function header(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length);
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return Uint8Array.of(tag, 0x80 | octets.length, ...octets);
}

export const sequenceHeader = (length: number): Uint8Array => header(SEQUENCE, length);

/** Returns the total number of bytes. */
export const bytesOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0);

/** Returns an element. Its content is already encoded and is copied byte for byte. */
export function elementOf(tag: number, ...content: Uint8Array[]): Buffer {
  return Buffer.concat([header(tag, bytesOf(content)), ...content]);
}

/** Returns a SEQUENCE of encoded members. CRLs are written with it, because asn1js would make an object for every entry. */
export const sequenceOf = (...members: Uint8Array[]): Buffer => elementOf(SEQUENCE, ...members);

/** Returns an OBJECT IDENTIFIER from its dotted form. */
export const objectIdentifier = (oid: string): Buffer =>
  Buffer.from(new asn1js.ObjectIdentifier({ value: oid }).toBER());
