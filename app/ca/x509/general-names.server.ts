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

/** One GeneralName (RFC 5280 §4.2.1.6). A URI that starts with `oftp://` is an `ssid`, its value without that prefix. */
export interface AlternateName {
  type: AlternateNameType;
  value: string;
}

const SSID_SCHEME = "oftp://";

const hex = (bytes: Uint8Array): string => `#${Buffer.from(bytes).toString("hex")}`;

/** Identifier octets of the names that pkijs takes apart; its outlines of the others refuse what nobody uses. */
const READABLE: Partial<Record<number, AlternateNameType>> = {
  0x81: "rfc822",
  0x82: "dns",
  0xa4: "directory",
  0x86: "uri",
  0x87: "ip",
  0x88: "registeredId",
};

/** Kinds of names that are one text. */
const TEXTS: readonly AlternateNameType[] = ["rfc822", "dns", "uri"];

const OPAQUE: Partial<Record<number, AlternateNameType>> = { 0xa3: "x400", 0xa5: "ediParty" };

/** The names of a GeneralNames SEQUENCE, in order. Throws CaError `malformed`. */
export const readGeneralNames = (names: asn1js.AsnType): AlternateName[] => membersOf(names).map(readGeneralName);

/** Throws on a name that is not what its tag says. */
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

/** An IA5String as it lies there: comparing it with an outline takes longer than all else, and a CSR may have a thousand. */
function readText(type: AlternateNameType, { valueBlock }: asn1js.Primitive): AlternateName {
  const value = Buffer.from(valueBlock.valueHexView).toString("latin1");
  return type === "uri" ? uriName(value) : { type, value };
}

/** A URI as a name: an `ssid` (percent-decoded, without prefix and closing slash) or a `uri`. */
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

/** Text of the address octets, IPv6 in its shortest form; other lengths than 4 and 16 as hex, which is no address. */
function ipText(octets: Uint8Array): string {
  if (octets.length === 4) return octets.join(".");
  if (octets.length !== 16) return hex(octets);
  const groups = Array.from({ length: 8 }, (_, index) =>
    Buffer.from(octets)
      .readUInt16BE(index * 2)
      .toString(16),
  );
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function ipOctets(address: string): Uint8Array {
  if (isIPv4(address)) return Uint8Array.from(address.split("."), Number);
  if (!isIPv6(address)) throw new RangeError("not an IP address");
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [head = [], tail = []] = groups.map((side) => side.split(":").filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return Uint8Array.from(
    [...head, ...zeros, ...tail].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]),
  );
}

/** An SSID as the URI that certificates have for it. */
export const ssidUri = (ssid: string): string => SSID_SCHEME + encodeURIComponent(ssid);

/** One name that this CA puts into certificates. Throws RangeError for other types and foreign characters. */
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

/** A URI as GeneralName. Throws RangeError on foreign characters. */
export const uriGeneralName = (uri: string): GeneralName => new GeneralName({ type: 6, value: ascii(uri) });

/** The names sorted into their kinds, every kind present. */
export function namesByKind(names: readonly AlternateName[]): Record<AlternateNameType, string[]> {
  const kinds = ALTERNATE_NAME_TYPES.map((kind) => [
    kind,
    names.filter(({ type }) => type === kind).map(({ value }) => value),
  ]);
  return Object.fromEntries(kinds) as Record<AlternateNameType, string[]>;
}
