import { CaError } from "../errors.server";
import { TAG } from "./tags.server";

/** One element: `der` with tag and length, `content` without. Both are views of the bytes read, not copies. */
export interface DerElement {
  tag: number;
  der: Uint8Array;
  content: Uint8Array;
}

const malformed = (what: string): CaError => new CaError("malformed", `Malformed DER: ${what}.`);

/**
 * Where the content of the element at `offset` begins and ends, with its tag. Definite, shortest lengths only (X.690 §10.1).
 * The end can lie behind the bytes: `readElement` refuses that.
 */
export function readHeader(bytes: Uint8Array, offset: number): { tag: number; start: number; end: number } {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) throw malformed("the element ends early");
  if ((tag & 0x1f) === 0x1f) throw malformed("a multi-byte tag");
  if (first < 0x80) return { tag, start: offset + 2, end: offset + 2 + first };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw malformed("an indefinite or huge length");
  let length = 0;
  for (let index = 0; index < count; index += 1) length = length * 256 + (bytes[offset + 2 + index] ?? 0);
  if (length < 0x80 || length < 256 ** (count - 1)) throw malformed("a length that is not in its shortest form");
  const start = offset + 2 + count;
  return { tag, start, end: start + length };
}

/** The element that starts at `offset`; what follows it is left alone. Throws CaError `malformed`. */
export function readElement(bytes: Uint8Array, offset = 0): DerElement {
  const { tag, start, end } = readHeader(bytes, offset);
  if (end > bytes.length) throw malformed("the element ends early");
  return { tag, der: bytes.subarray(offset, end), content: bytes.subarray(start, end) };
}

/** All elements that `content` consists of. Never recurses, so nesting costs nothing. */
export function readElements(content: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < content.length;) {
    const next = readElement(content, offset);
    elements.push(next);
    offset += next.der.length;
  }
  return elements;
}

/** The element if it has this tag, else CaError `malformed`. */
export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element?.tag !== tag) throw malformed(`tag ${tag} expected, found ${element?.tag ?? "nothing"}`);
  return element;
}

/** The members of a SEQUENCE (or of another constructed element when `tag` says so). */
export const members = (element: DerElement | undefined, tag: number = TAG.sequence): DerElement[] =>
  readElements(expectTag(element, tag).content);

/** Dotted decimals of an OBJECT IDENTIFIER (X.690 §8.19). */
export function readObjectIdentifier(element: DerElement | undefined): string {
  return dotted(expectTag(element, TAG.objectIdentifier).content);
}

/** Dotted decimals of the content octets of an OBJECT IDENTIFIER, at most 64 of them. */
export function dotted(content: Uint8Array): string {
  if (content.length === 0 || content.length > 64) throw malformed("an object identifier of odd length");
  if ((content.at(-1) ?? 0) & 0x80) throw malformed("an object identifier that ends early");
  const arcs: (number | bigint)[] = [];
  let arc: number | bigint = 0;
  for (const octet of content) {
    arc =
      typeof arc === "number" && arc < 2 ** 45 ? arc * 128 + (octet & 0x7f) : BigInt(arc) * 128n + BigInt(octet & 0x7f);
    if (octet & 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  // The first two arcs share one number (X.690 §8.19.4).
  const [joint = 0, ...rest] = arcs;
  const root = joint < 80 ? Math.floor(Number(joint) / 40) : 2;
  return [root, BigInt(joint) - BigInt(root * 40), ...rest].join(".");
}

/** Value of a non-negative INTEGER or ENUMERATED. */
export function readUnsigned(element: DerElement | undefined, tag: number = TAG.integer): bigint {
  const { content } = expectTag(element, tag);
  if (content.length === 0 || (content[0] ?? 0) & 0x80) throw malformed("an empty or negative integer");
  return BigInt(`0x${Buffer.from(content).toString("hex")}`);
}

/** Bytes of a BIT STRING without unused bits. */
export function readBitString(element: DerElement | undefined): Uint8Array {
  const { content } = expectTag(element, TAG.bitString);
  if (content[0] !== 0) throw malformed("a bit string of broken bytes");
  return content.subarray(1);
}

/** Numbers of the bits that are set in a named bit list, ascending. */
export function readNamedBits(element: DerElement | undefined): number[] {
  const octets = expectTag(element, TAG.bitString).content.subarray(1);
  return [...octets].flatMap((octet, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => octet & (0x80 >> bit)).map((bit) => index * 8 + bit),
  );
}

/** UTCTime or GeneralizedTime in the only forms that RFC 5280 §4.1.2.5 allows (to the second, Z). */
export function readTime(element: DerElement | undefined): Date {
  const text = Buffer.from(element?.content ?? []).toString("latin1");
  const utc = element?.tag === TAG.utcTime;
  const full = utc ? `${Number(text.slice(0, 2)) < 50 ? "20" : "19"}${text}` : text;
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full);
  if (!parts || (!utc && element?.tag !== TAG.generalizedTime)) throw malformed("a time");
  const [, year, month, day, hour, minute, second] = parts;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(date.getTime())) throw malformed("a time that does not exist");
  return date;
}
