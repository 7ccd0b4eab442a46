/** Identifier octet of a SEQUENCE. */
export const SEQUENCE = 0x30;

/** Tag and length of a SEQUENCE whose content has `length` bytes (X.690 §8.1, DER definite form). */
export function sequenceHeader(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(SEQUENCE, length);
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return Uint8Array.of(SEQUENCE, 0x80 | octets.length, ...octets);
}

/** A SEQUENCE of members that are encoded already. Lists are written with it: asn1js would make an object of every entry. */
export function sequenceOf(...members: Uint8Array[]): Uint8Array {
  const length = members.reduce((sum, member) => sum + member.length, 0);
  return Buffer.concat([sequenceHeader(length), ...members]);
}
