import { isIPv4, isIPv6 } from "node:net";
import { dotted, type DerElement, readElement, readElements } from "../asn1/read.server";
import { contextConstructedTag, contextTag } from "../asn1/tags.server";
import { latin1 } from "../asn1/text.server";
import { element, ia5 } from "../asn1/write.server";
import { formatName, readName } from "./name.server";

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

const readers: Partial<Record<number, (name: DerElement) => AlternateName>> = {
  [contextConstructedTag(0)]: ({ der }) => ({ type: "other", value: hex(der) }),
  [contextTag(1)]: ({ content }) => ({ type: "rfc822", value: latin1(content) }),
  [contextTag(2)]: ({ content }) => ({ type: "dns", value: latin1(content) }),
  [contextConstructedTag(3)]: ({ der }) => ({ type: "x400", value: hex(der) }),
  [contextConstructedTag(4)]: ({ content }) => ({
    type: "directory",
    value: formatName(readName(readElement(content))),
  }),
  [contextConstructedTag(5)]: ({ der }) => ({ type: "ediParty", value: hex(der) }),
  [contextTag(6)]: ({ content }) => uriName(latin1(content)),
  [contextTag(7)]: ({ content }) => ({ type: "ip", value: ipText(content) }),
  [contextTag(8)]: ({ content }) => ({ type: "registeredId", value: dotted(content) }),
};

/** The names of a GeneralNames SEQUENCE's content, in order. Throws CaError `malformed`. */
export function readGeneralNames(content: Uint8Array): AlternateName[] {
  return readElements(content).map((name) => readers[name.tag]?.(name) ?? { type: "other", value: hex(name.der) });
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

/** DER of one name that this CA puts into certificates. Throws RangeError for other types and foreign characters. */
export function encodeGeneralName({ type, value }: AlternateName): Uint8Array {
  switch (type) {
    case "rfc822":
      return ia5(value, contextTag(1));
    case "dns":
      return ia5(value, contextTag(2));
    case "uri":
      return ia5(value, contextTag(6));
    case "ssid":
      return ia5(SSID_SCHEME + encodeURIComponent(value), contextTag(6));
    case "ip":
      return element(contextTag(7), ipOctets(value));
    default:
      throw new RangeError(`a name of type ${type} is never certified`);
  }
}

/** The names sorted into their kinds, every kind present. */
export function namesByKind(names: readonly AlternateName[]): Record<AlternateNameType, string[]> {
  const kinds = ALTERNATE_NAME_TYPES.map((kind) => [
    kind,
    names.filter(({ type }) => type === kind).map(({ value }) => value),
  ]);
  return Object.fromEntries(kinds) as Record<AlternateNameType, string[]>;
}
