import * as asn1js from "asn1js";
import { CaError } from "./errors.server";

/**
 * Limits for parsing bytes from outside: far above the size of any CSR or certificate, and low enough that parsing takes much less than a
 * second.
 */
const LIMITS = { maxDepth: 50, maxNodes: 2_000, parseEmbedded: false };
const MAX_IDENTIFIER_BYTES = 64;

const UNIVERSAL = 1;
const BOOLEAN = 1;
const NUMBERS = [2, 10];
const NULL = 5;
/** Identifier octet of a SEQUENCE. */
const SEQUENCE = 0x30;
const OBJECT_IDENTIFIER = 6;
const CONSTRUCTED_TYPES = [16, 17];

export const malformed = (what: string): CaError => new CaError("malformed", `Malformed DER: ${what}.`);

/**
 * Parses bytes that are exactly one DER element, and returns it as an asn1js object. Throws a CaError `malformed`. asn1js alone accepts any
 * BER, throws arbitrary errors on broken bytes (`18 00`), and its messages are not meant for users. The contents of OCTET STRING and BIT
 * STRING are not parsed.
 */
export function parseDer(bytes: Uint8Array): asn1js.AsnType {
  return reading(() => {
    const { offset, result } = asn1js.fromBER(Uint8Array.from(bytes), { ...LIMITS, copyInput: false });
    if (offset !== bytes.length)
      throw malformed(result.error ? unreadable(result.error) : "bytes before or after the element");
    requireDer(result);
    return result;
  });
}

/** User messages for the reasons why asn1js cannot parse the bytes. Its own messages are meant for programmers. */
const UNREADABLE: [said: RegExp, why: string][] = [
  [/depth|nesting/i, "elements nested too deep"],
  [/node count/i, "too many elements"],
  [/tags? .*reserved|long.*tag/i, "a multi-byte tag"],
  [/BMPString|UniversalString/, "a text of a wrong length"],
];

const unreadable = (error: string): string =>
  UNREADABLE.find(([said]) => said.test(error))?.[1] ?? "not a whole element";

/** Returns the result of `read` and turns every error of a library into a CaError `malformed`. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof CaError ? error : malformed("not of the expected structure");
  }
}

/** Returns the encoded bytes of an element in a new buffer. */
export const derOf = (element: asn1js.BaseBlock): Uint8Array => Buffer.from(element.toBER());

/** Returns the bytes from which an element was read. */
export const bytesRead = (element: asn1js.BaseBlock): Uint8Array => element.valueBeforeDecodeView;

const endsEarly = () => malformed("the element ends early");
const notShortest = () => malformed("a length that is not in its shortest definite form");

/**
 * Returns the identifier octet of the element at `offset`, and where its content begins and ends. Use it for bytes that are cut off or too
 * many to parse. The end can lie beyond the bytes. Throws a CaError `malformed` unless the tag has one byte and the length has its shortest
 * definite form (X.690 §10.1).
 */
export function readHeader(bytes: Uint8Array, offset: number): { tag: number; start: number; end: number } {
  const [tag, first] = [bytes[offset], bytes[offset + 1]];
  if (tag === undefined) throw endsEarly();
  if ((tag & 0x1f) === 0x1f) throw malformed("a multi-byte tag");
  if (first === undefined) throw endsEarly();
  const start = offset + 2;
  if (first < 0x80) return { tag, start, end: start + first };
  const octets = first & 0x7f;
  if (octets === 0 || octets > 4) throw notShortest();
  let length = 0;
  for (let index = start; index < start + octets; index += 1) {
    const octet = bytes[index];
    if (octet === undefined) throw endsEarly();
    length = length * 256 + octet;
  }
  if (length < Math.max(0x80, 256 ** (octets - 1)) || length >= 2 ** 31) throw notShortest();
  return { tag, start: start + octets, end: start + octets + length };
}

/** Returns the content of bytes that are exactly one element with this identifier octet. Throws a CaError `malformed`. */
export function contentOf(bytes: Uint8Array | undefined, tag: number): Uint8Array {
  const header = bytes && readHeader(bytes, 0);
  if (!header || header.tag !== tag || header.end !== bytes.length) throw malformed("not a whole element of this type");
  return bytes.subarray(header.start);
}

/** Returns the encoded members of a SEQUENCE, without parsing them. Throws a CaError `malformed` unless they fill it exactly. */
export function splitDer(sequence: Uint8Array | undefined): Uint8Array[] {
  const content = contentOf(sequence, SEQUENCE);
  const members: Uint8Array[] = [];
  for (let offset = 0; offset < content.length;) {
    const { end } = readHeader(content, offset);
    if (end > content.length) throw malformed("an element that ends after its parent");
    members.push(content.subarray(offset, end));
    offset = end;
  }
  return members;
}

/** Throws unless an element that asn1js has read has a header that `readHeader` accepts. */
function requireDerHeader({ idBlock, lenBlock }: Pick<asn1js.BaseBlock, "idBlock" | "lenBlock">): void {
  const { length, isIndefiniteForm, blockLength } = lenBlock;
  const octets = Math.ceil((32 - Math.clz32(length)) / 8);
  if (idBlock.blockLength !== 1) throw malformed("a multi-byte tag");
  if (isIndefiniteForm || length >= 2 ** 31 || blockLength !== (length < 0x80 ? 1 : 1 + octets)) throw notShortest();
}

function requireDer(element: asn1js.AsnType): void {
  const { idBlock, lenBlock } = element;
  requireDerHeader(element);
  if (bytesRead(element).length !== idBlock.blockLength + lenBlock.blockLength + lenBlock.length) {
    throw malformed("an element that does not fill its length");
  }
  if (idBlock.tagClass === UNIVERSAL && idBlock.isConstructed !== CONSTRUCTED_TYPES.includes(idBlock.tagNumber)) {
    throw malformed("a value in pieces (X.690 §10.2)");
  }
  if (idBlock.tagClass === UNIVERSAL)
    requireValue(idBlock.tagNumber, bytesRead(element).subarray(-lenBlock.length || Infinity));
  if (element instanceof asn1js.UTCTime) requireTime(element);
  if (element instanceof asn1js.Constructed) element.valueBlock.value.forEach(requireDer);
}

/**
 * Throws unless the value has the only form that DER allows: BOOLEAN (X.690 §11.1), INTEGER and ENUMERATED (§8.3.2), NULL (§8.8.2) and
 * OBJECT IDENTIFIER (§8.19.2).
 */
function requireValue(tagNumber: number, content: Uint8Array): void {
  const [first = 0, second = 0] = content;
  if (tagNumber === BOOLEAN && (content.length !== 1 || ![0x00, 0xff].includes(first)))
    throw malformed("a BOOLEAN that is neither true nor false");
  if (NUMBERS.includes(tagNumber) && content.length > 1 && first === (second < 0x80 ? 0x00 : 0xff))
    throw malformed("a number that is not in its shortest form");
  if (tagNumber === NULL && content.length > 0) throw malformed("a NULL that holds something");
  if (tagNumber !== OBJECT_IDENTIFIER) return;
  if (content.length === 0 || content.length > MAX_IDENTIFIER_BYTES)
    throw malformed("an object identifier of odd length");
  if (content.some((byte, index) => byte === 0x80 && ((content[index - 1] ?? 0) & 0x80) === 0))
    throw malformed("an object identifier that is not in its shortest form");
}

/** Throws unless the time exists, is in UTC and has whole seconds (RFC 5280 §4.1.2.5). Encoding it again must give the same bytes. */
function requireTime(element: asn1js.UTCTime): void {
  const Time = element instanceof asn1js.GeneralizedTime ? asn1js.GeneralizedTime : asn1js.UTCTime;
  const again = new Time({ valueDate: element.toDate() });
  if (again.valueBlock.valueHexView.length > 15 || !again.isEqual(element)) throw malformed("a time");
}

/** Returns the elements of a SEQUENCE. */
export function membersOf(element: asn1js.AsnType | undefined): asn1js.AsnType[] {
  if (!(element instanceof asn1js.Sequence)) throw malformed("no SEQUENCE where one is expected");
  return element.valueBlock.value;
}

/**
 * Returns the members of a SEQUENCE of one or two members, such as an AlgorithmIdentifier (RFC 5280 §4.1.1.2). Throws when there are more:
 * pkijs would ignore them, and other software refuses them.
 */
export function pairOf(element: asn1js.AsnType | undefined): asn1js.AsnType[] {
  const members = membersOf(element);
  if (members.length > 2) throw malformed("a pair of more than two members");
  return members;
}

/** Returns the value of a non-negative INTEGER or ENUMERATED. */
export function unsigned(element: asn1js.AsnType | undefined): bigint {
  if (!(element instanceof asn1js.Integer)) throw malformed("no number where one is expected");
  const value = element.toBigInt();
  if (value < 0n || element.valueBlock.valueHexView.length === 0) throw malformed("an empty or negative number");
  return value;
}

/** Returns the bytes of a BIT STRING. Throws when it has unused bits. */
export function wholeBytes(bits: asn1js.BitString): Uint8Array {
  if (bits.valueBlock.unusedBits !== 0) throw malformed("a bit string of broken bytes");
  return bits.valueBlock.valueHexView;
}
