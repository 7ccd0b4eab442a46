import { contextConstructedTag, TAG } from "./tags.server";

/** Tag and length octets of an element whose content has `length` bytes (X.690 §8.1, DER definite form). */
export function header(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length);
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return Uint8Array.of(tag, 0x80 | octets.length, ...octets);
}

/** One element with the given identifier octet around the concatenated parts. */
export function element(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([header(tag, length), ...parts]);
}

export const sequence = (...parts: Uint8Array[]): Uint8Array => element(TAG.sequence, ...parts);

/** A SET; its parts are sorted as DER asks of a SET OF (X.690 §11.6). */
export const set = (...parts: Uint8Array[]): Uint8Array =>
  element(TAG.set, ...parts.toSorted((a, b) => Buffer.compare(a, b)));

/** `[number] EXPLICIT`, or IMPLICIT over a constructed type. */
export const context = (number: number, ...parts: Uint8Array[]): Uint8Array =>
  element(contextConstructedTag(number), ...parts);

export const boolean = (value: boolean): Uint8Array => element(TAG.boolean, Uint8Array.of(value ? 0xff : 0));

export const nullValue = (): Uint8Array => element(TAG.null);

export const octetString = (content: Uint8Array): Uint8Array => element(TAG.octetString, content);

/** A BIT STRING of whole bytes. */
export const bitString = (content: Uint8Array): Uint8Array => element(TAG.bitString, Uint8Array.of(0), content);

/** A named bit list: bit 0 is the first, trailing zero bits are left out (X.690 §11.2.2). */
export function namedBits(bits: readonly number[]): Uint8Array {
  const last = Math.max(...bits);
  const octets = new Uint8Array(Math.floor(last / 8) + 1);
  for (const bit of bits) octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return element(TAG.bitString, Uint8Array.of(7 - (last & 7)), octets);
}

/** A non-negative INTEGER in as few octets as possible (X.690 §8.3). */
export function integer(value: bigint | number): Uint8Array {
  return element(TAG.integer, unsignedOctets(BigInt(value)));
}

export const enumerated = (value: number): Uint8Array => element(TAG.enumerated, unsignedOctets(BigInt(value)));

function unsignedOctets(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError("only non-negative integers are written");
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, "hex");
}

/** Encodings made before; only identifiers that this layer or the configuration names are ever written. */
const encodedIdentifiers = new Map<string, Uint8Array>();

/** OBJECT IDENTIFIER from dotted decimals (X.690 §8.19). */
export function objectIdentifier(dotted: string): Uint8Array {
  const known = encodedIdentifiers.get(dotted);
  if (known) return known;
  if (!/^[0-2](\.(0|[1-9]\d*))+$/.test(dotted)) throw new RangeError(`not an object identifier: ${dotted}`);
  const [first = 0n, second = 0n, ...rest] = dotted.split(".").map(BigInt);
  const octets = [first * 40n + second, ...rest].flatMap(base128);
  const encoded = element(TAG.objectIdentifier, Uint8Array.from(octets));
  encodedIdentifiers.set(dotted, encoded);
  return encoded;
}

function base128(arc: bigint): number[] {
  const octets = [Number(arc & 0x7fn)];
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) octets.unshift(Number(rest & 0x7fn) | 0x80);
  return octets;
}

export const utf8String = (text: string): Uint8Array => element(TAG.utf8String, Buffer.from(text, "utf8"));

/** Whether a PrintableString can hold the text (X.680 §41.4). */
export const isPrintable = (text: string): boolean => /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text);

export function printableString(text: string): Uint8Array {
  if (!isPrintable(text)) throw new RangeError("character outside PrintableString");
  return element(TAG.printableString, Buffer.from(text, "latin1"));
}

/** IA5String content, for use under an IMPLICIT tag too. */
export function ia5(text: string, tag: number = TAG.ia5String): Uint8Array {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new RangeError("character outside printable ASCII");
  return element(tag, Buffer.from(text, "latin1"));
}

const digits = (date: Date): string => date.toISOString().replace(/[-:T]/g, "").slice(0, 14);

/** GeneralizedTime to the second (RFC 5280 §4.1.2.5.2). */
export const generalizedTime = (date: Date): Uint8Array =>
  element(TAG.generalizedTime, Buffer.from(`${digits(date)}Z`, "latin1"));

/** Time of X.509: UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280 §4.1.2.5). */
export function time(date: Date): Uint8Array {
  if (date.getUTCFullYear() >= 2050) return generalizedTime(date);
  return element(TAG.utcTime, Buffer.from(`${digits(date).slice(2)}Z`, "latin1"));
}
