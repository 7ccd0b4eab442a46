import { isIP } from "node:net";
import { ipOctets } from "../x509/general-names.server";
import { isDnsName } from "../x509/host-name.server";
import { type NameTree } from "../x509/name-constraints.server";
import { type NameAttribute } from "../x509/name.server";

/** A name that constraints apply to. `attributes` is given for a distinguished name. */
export interface ConstrainedName {
  kind: Exclude<NameTree["kind"], "other">;
  value: string;
  attributes?: readonly NameAttribute[];
}

/** Returns whether a DNS name equals the base of a tree or is below it. The empty base has all names below it. */
function isDnsBelow(name: string, base: string): boolean {
  const [host, top] = [name.toLowerCase(), base.toLowerCase()];
  return top === "" || host === top || host.endsWith(top.startsWith(".") ? top : `.${top}`);
}

/** Returns whether a host equals the base, or is below one that begins with a dot. */
function isHostIn(host: string, base: string): boolean {
  const [name, top] = [host.toLowerCase(), base.toLowerCase()];
  return top.startsWith(".") ? name.length > top.length && name.endsWith(top) : name === top;
}

const partsOf = (mailbox: string): [local: string, host: string] => {
  const at = mailbox.lastIndexOf("@");
  return [mailbox.slice(0, Math.max(0, at)), mailbox.slice(at + 1)];
};

/** Returns whether a mailbox is the base, at the host that the base names, or at a host below one that begins with a dot. */
function isMailboxIn(mailbox: string, base: string): boolean {
  const [[local, host], [baseLocal, baseHost]] = [partsOf(mailbox), partsOf(base)];
  if (!base.includes("@")) return isHostIn(host, base);
  return local === baseLocal && host.toLowerCase() === baseHost.toLowerCase();
}

/** Returns the host of a URI, or null when it has none that is a domain name: then constraints cannot be applied (RFC 5280 §4.2.1.10). */
function domainOfUri(uri: string): string | null {
  const [, authority = ""] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(uri) ?? [];
  const host = authority.replace(/:\d*$/, "");
  return isDnsName(host) && host.includes(".") ? host : null;
}

function isInNetwork(value: string, { address, mask }: Extract<NameTree, { kind: "ip" }>): boolean {
  if (isIP(value) === 0) return false;
  const octets = ipOctets(value);
  return (
    octets.length === address.length &&
    octets.every((octet, index) => (octet & (mask[index] ?? 0)) === ((address[index] ?? 0) & (mask[index] ?? 0)))
  );
}

/** Returns a value as OpenSSL compares it: in small letters, and with one space where there are several. */
const folded = (value: string) =>
  value
    .trim()
    .replace(/[ \t\n\v\f\r]+/g, " ")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns whether the attributes of a name begin with those of the base (RFC 5280 §4.2.1.10 and §7.1). */
const isBelow = (name: readonly NameAttribute[], base: readonly NameAttribute[], fold: (value: string) => string) =>
  base.every(({ oid, value }, index) => name[index]?.oid === oid && fold(name[index]?.value ?? "") === fold(value));

/** Returns a value in which no letter's case counts, for programs that compare more loosely than OpenSSL does. */
const foldedMore = (value: string) => folded(value.normalize("NFKC")).toLowerCase();

/** Returns whether a wildcard also stands for hosts in the tree. */
const standsForHostIn = (name: string, base: string): boolean =>
  name.startsWith("*.") && base.slice(base.indexOf(".")).toLowerCase() === name.slice(1).toLowerCase();

/**
 * Returns whether a name is in a tree (RFC 5280 §4.2.1.10). Where programs differ, the answer is the one by which the name is not certified.
 *
 * @param as Whether the tree is permitted or excluded. A URI without a domain name is in no permitted tree and in each excluded one, a
 *   wildcard is in an excluded tree when it stands for a host in it, and the case of letters counts only for permitted trees.
 */
export function isInTree(
  { kind, value, attributes = [] }: ConstrainedName,
  tree: NameTree,
  as: "permitted" | "excluded",
): boolean {
  if (tree.kind !== kind) return false;
  switch (tree.kind) {
    case "dns":
      return isDnsBelow(value, tree.text) || (as === "excluded" && standsForHostIn(value, tree.text));
    case "email":
      return as === "permitted"
        ? isMailboxIn(value, tree.text)
        : isMailboxIn(value.toLowerCase(), tree.text.toLowerCase());
    case "uri": {
      const host = domainOfUri(value);
      return host === null ? as === "excluded" : isHostIn(host, tree.text);
    }
    case "ip":
      return isInNetwork(value, tree);
    case "directory":
      return isBelow(attributes, tree.attributes, as === "permitted" ? folded : foldedMore);
    default:
      return false;
  }
}

/** Returns a tree in words, such as `example.com and names below it`. */
export function treeText({ kind, text }: NameTree): string {
  if (text === "") return "all";
  if (kind === "dns") return `${text} and names below it`;
  if (kind === "directory") return `'${text}' and names below it`;
  if ((kind === "email" && !text.includes("@")) || kind === "uri")
    return text.startsWith(".") ? `hosts below ${text.slice(1)}` : `the host ${text}`;
  return text;
}
