import { isIP } from "node:net";
import * as asn1js from "asn1js";
import { Extension } from "pkijs";
import { contextTag, elementOf, sequenceOf } from "../der-writing.server";
import { malformed, parseDer, splitDer } from "../der.server";
import { OID } from "../oids.server";
import { ipOctets, ipText } from "./general-names.server";
import {
  distinguishedName,
  encodeName,
  formatName,
  type NameAttribute,
  readName,
  type SubjectFields,
} from "./name.server";
import { ascii } from "./text.server";

/** The kinds of names that a CA can be limited in, in the order in which they are written. */
export const CONSTRAINED_KINDS = ["dns", "email", "uri", "ip", "directory"] as const;

type TextKind = "dns" | "email" | "uri";

/**
 * A tree of names (RFC 5280 §4.2.1.10). `text` is how people read it: a name, an address with its prefix length such as `192.0.2.0/24`, or a
 * distinguished name. A tree of all DNS names has an empty text. `other` is a kind of name that this CA never certifies.
 */
export type NameTree =
  | { kind: TextKind | "other"; text: string }
  | { kind: "ip"; text: string; address: Uint8Array; mask: Uint8Array }
  | { kind: "directory"; text: string; attributes: readonly NameAttribute[]; der: Uint8Array };

/** The names that a CA may certify: those in permitted trees, if there are any of their kind, and in no excluded one. */
export interface NameConstraints {
  permitted: readonly NameTree[];
  excluded: readonly NameTree[];
}

const TAGS = { email: 0x81, dns: 0x82, directory: 0xa4, uri: 0x86, ip: 0x87 } as const;
const [PERMITTED, EXCLUDED] = [contextTag(0), contextTag(1)];

/** Returns the mask of `length` octets whose first bits are set. */
const maskOf = (length: number, prefix: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => 0xff & ~(0xff >> Math.max(0, Math.min(8, prefix - index * 8))));

/** Returns the number of leading bits of a mask, or null when others follow (RFC 4632 §3.1). */
function prefixOf(mask: Uint8Array): number | null {
  const bits = [...mask].map((octet) => octet.toString(2).padStart(8, "0")).join("");
  return /^1*0*$/.test(bits) ? bits.replaceAll("0", "").length : null;
}

/** Returns the tree of a network in CIDR notation, or null when it is none: an address with bits behind its prefix is another network. */
export function networkTree(network: string): NameTree | null {
  const [, address = "", prefix = ""] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(network) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(prefix) > (family === 4 ? 32 : 128)) return null;
  const octets = ipOctets(address);
  const mask = maskOf(octets.length, Number(prefix));
  if (octets.some((octet, index) => (octet & ~(mask[index] ?? 0)) !== 0)) return null;
  return { kind: "ip", text: `${ipText(octets)}/${Number(prefix)}`, address: octets, mask };
}

/** Returns the tree of all names whose distinguished name begins with these attributes, in the order of this CA's subjects. */
export function directoryTree(subject: SubjectFields): NameTree {
  const der = encodeName(subject);
  const attributes = readName(distinguishedName(der));
  return { kind: "directory", text: formatName(attributes), attributes, der };
}

function encodeTree(tree: NameTree): Uint8Array {
  switch (tree.kind) {
    case "ip":
      return sequenceOf(elementOf(TAGS.ip, tree.address, tree.mask));
    case "directory":
      return sequenceOf(elementOf(TAGS.directory, tree.der));
    case "other":
      throw new RangeError("a kind of name that this CA never constrains");
    default:
      return sequenceOf(elementOf(TAGS[tree.kind], Buffer.from(ascii(tree.text))));
  }
}

/** Returns critical nameConstraints (RFC 5280 §4.2.1.10). Throws a RangeError on characters outside ASCII. */
export function nameConstraints({ permitted, excluded }: NameConstraints): Extension {
  const trees = (tag: number, some: readonly NameTree[]) =>
    some.length > 0 ? [elementOf(tag, ...some.map(encodeTree))] : [];
  const value = sequenceOf(...trees(PERMITTED, permitted), ...trees(EXCLUDED, excluded));
  return new Extension({ extnID: OID.nameConstraints, critical: true, extnValue: Uint8Array.from(value).buffer });
}

function readNetwork(octets: Uint8Array): NameTree {
  const half = octets.length / 2;
  if (half !== 4 && half !== 16) throw malformed("an IP address and mask of another length");
  const [address, mask] = [octets.subarray(0, half), octets.subarray(half)];
  const prefix = prefixOf(mask);
  return { kind: "ip", text: `${ipText(address)}/${prefix ?? `mask ${ipText(mask)}`}`, address, mask };
}

function readTree(der: Uint8Array): NameTree {
  const [base, ...rest] = splitDer(der);
  // `minimum` is zero and not written, and there is no `maximum` (RFC 5280 §4.2.1.10).
  if (!base || rest.length > 0) throw malformed("name constraints with a minimum or a maximum");
  const kind = (Object.keys(TAGS) as (keyof typeof TAGS)[]).find((one) => TAGS[one] === base[0]);
  const element = parseDer(base);
  if (kind === undefined) return { kind: "other", text: `#${Buffer.from(base).toString("hex")}` };
  if (kind === "directory") {
    const [name] = element instanceof asn1js.Constructed ? element.valueBlock.value : [];
    if (!name) throw malformed("an empty directory name");
    const attributes = readName(distinguishedName(name.valueBeforeDecodeView));
    return { kind, text: formatName(attributes), attributes, der: name.valueBeforeDecodeView };
  }
  if (!(element instanceof asn1js.Primitive)) throw malformed("no name where one is expected");
  const octets = element.valueBlock.valueHexView;
  return kind === "ip" ? readNetwork(octets) : { kind, text: Buffer.from(octets).toString("latin1") };
}

/** Reads the value of nameConstraints. Throws a CaError `malformed`. */
export function readNameConstraints(value: Uint8Array): NameConstraints {
  const found: Record<number, readonly NameTree[]> = {};
  for (const part of splitDer(value)) {
    const tag = part[0] ?? 0;
    if ((tag !== PERMITTED && tag !== EXCLUDED) || found[tag]) throw malformed("not name constraints");
    const element = parseDer(part);
    if (!(element instanceof asn1js.Constructed)) throw malformed("not name constraints");
    found[tag] = element.valueBlock.value.map((tree) => readTree(tree.valueBeforeDecodeView));
  }
  return { permitted: found[PERMITTED] ?? [], excluded: found[EXCLUDED] ?? [] };
}
