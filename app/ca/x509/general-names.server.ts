import { isUtf8 } from "node:buffer";
import { isIPv4, isIPv6 } from "node:net";
import * as asn1js from "asn1js";
import { GeneralName, type RelativeDistinguishedNames } from "pkijs";
import { bytesRead, membersOf } from "../der.server";
import { formatName, readName } from "./name.server";
import { ascii } from "./text.server";

export const ALTERNATE_NAME_TYPES = [
  "dns",
  "ip",
  "rfc822",
  "uri",
  "ssid",
  "other",
  "x400",
  "ediParty",
  "directory",
  "registeredId",
] as const;

export type AlternateNameType = (typeof ALTERNATE_NAME_TYPES)[number];

/** One GeneralName (RFC 5280 §4.2.1.6). A URI that starts with `oftp://` has the type `ssid`, and its value omits that prefix. */
export interface AlternateName {
  type: AlternateNameType;
  value: string;
}

const SSID_SCHEME = "oftp://";

const hex = (bytes: Uint8Array): string => `#${Buffer.from(bytes).toString("hex")}`;

/** Identifier octets of the names that are parsed. The schemas that pkijs has for the other types refuse values that nobody uses. */
const READABLE: Partial<Record<number, AlternateNameType>> = {
  0x81: "rfc822",
  0x82: "dns",
  0xa4: "directory",
  0x86: "uri",
  0x87: "ip",
  0x88: "registeredId",
};

/** Types of names that consist of one text. */
const TEXTS: readonly AlternateNameType[] = ["rfc822", "dns", "uri"];

const OPAQUE: Partial<Record<number, AlternateNameType>> = { 0xa3: "x400", 0xa5: "ediParty" };

/** Returns the names of a GeneralNames SEQUENCE, in order. Throws a CaError `malformed`. */
export const readGeneralNames = (names: asn1js.AsnType): AlternateName[] => membersOf(names).map(readGeneralName);

/** Reads one name. Throws when the value does not match its tag. */
export function readGeneralName(name: asn1js.AsnType): AlternateName {
  const der = bytesRead(name);
  const type = READABLE[der[0] ?? 0];
  if (!type) return { type: OPAQUE[der[0] ?? 0] ?? "other", value: hex(der) };
  if (name instanceof asn1js.Primitive && TEXTS.includes(type)) return readText(type, name);
  const { value } = new GeneralName({ schema: name }) as { value: unknown };
  if (value instanceof asn1js.OctetString) return { type, value: ipText(value.valueBlock.valueHexView) };
  if (typeof value === "string") return { type, value };
  return { type, value: formatName(readName(value as RelativeDistinguishedNames)) };
}

/** Returns an IA5String as text. Octets outside ASCII are not allowed in it; where they are UTF-8, they are read as what was meant. */
function ia5Text(octets: Buffer): string {
  const isText = octets.some((octet) => octet > 0x7f) && isUtf8(octets);
  return octets.toString(isText ? "utf8" : "latin1");
}

/**
 * Reads an IA5String directly from its bytes. Comparing it with a schema would take most of the time, and a CSR may have a thousand names.
 */
function readText(type: AlternateNameType, { valueBlock }: asn1js.Primitive): AlternateName {
  const value = ia5Text(Buffer.from(valueBlock.valueHexView));
  return type === "uri" ? uriName(value) : { type, value };
}

/** Returns a URI as a name: an `ssid` (percent-decoded, without the prefix and a final slash) or a `uri`. */
function uriName(uri: string): AlternateName {
  if (!uri.toLowerCase().startsWith(SSID_SCHEME)) return { type: "uri", value: uri };
  return { type: "ssid", value: percentDecoded(uri.slice(SSID_SCHEME.length).replace(/\/$/, "")) };
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the text of the address octets, IPv6 in its shortest form. Octets of a length other than 4 or 16 are returned as hex, which is
 * not a valid address.
 */
export function ipText(octets: Uint8Array): string {
  if (octets.length === 4) return octets.join(".");
  if (octets.length !== 16) return hex(octets);
  const groups = Array.from({ length: 8 }, (_, index) =>
    Buffer.from(octets)
      .readUInt16BE(index * 2)
      .toString(16),
  );
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** Returns the octets of an IP address, 4 or 16. Throws a RangeError when the text is none. */
export function ipOctets(address: string): Uint8Array {
  if (isIPv4(address)) return Uint8Array.from(address.split("."), Number);
  if (!isIPv6(address)) throw new RangeError("not an IP address");
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [head = [], tail = []] = groups.map((side) => side.split(":").filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return Uint8Array.from(
    [...head, ...zeros, ...tail].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]),
  );
}

/** Returns the URI that stands for an SSID in certificates. */
export const ssidUri = (ssid: string): string => SSID_SCHEME + encodeURIComponent(ssid);

/** Encodes a name of a type that this CA certifies. Throws a RangeError for other types and for characters outside ASCII. */
export function encodeGeneralName({ type, value }: AlternateName): GeneralName {
  switch (type) {
    case "rfc822":
      return new GeneralName({ type: 1, value: ascii(value) });
    case "dns":
      return new GeneralName({ type: 2, value: ascii(value) });
    case "uri":
      return uriGeneralName(value);
    case "ssid":
      return uriGeneralName(ssidUri(value));
    case "ip":
      return new GeneralName({ type: 7, value: new asn1js.OctetString({ valueHex: ipOctets(value) }) });
    default:
      throw new RangeError(`a name of type ${type} is never certified`);
  }
}

/** Returns a URI as a GeneralName. Throws a RangeError on characters outside ASCII. */
export const uriGeneralName = (uri: string): GeneralName => new GeneralName({ type: 6, value: ascii(uri) });

/** Returns the values of the names grouped by type. Every type is present. */
export function namesByKind(names: readonly AlternateName[]): Record<AlternateNameType, string[]> {
  const kinds = ALTERNATE_NAME_TYPES.map((kind) => [
    kind,
    names.filter(({ type }) => type === kind).map(({ value }) => value),
  ]);
  return Object.fromEntries(kinds) as Record<AlternateNameType, string[]>;
}
