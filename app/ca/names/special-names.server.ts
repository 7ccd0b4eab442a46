import { parse } from "tldts";
import { type NameClass } from "~/lib/name-classes";

/**
 * Domains of IANA's registry of special-use domain names (RFC 6761), and `internal`, which ICANN reserved for private networks. Names below
 * them are of the same class. The zones for reverse look-ups of addresses belong to the registry, too.
 */
const SPECIAL_DOMAINS: Readonly<Record<string, NameClass>> = {
  localhost: "special-use",
  invalid: "special-use",
  onion: "special-use",
  alt: "special-use",
  arpa: "special-use",
  local: "internal",
  internal: "internal",
  "home.arpa": "internal",
  test: "documentation",
  example: "documentation",
  "example.com": "documentation",
  "example.net": "documentation",
  "example.org": "documentation",
};

/** Returns the name with each domain that contains it, the longest first: `a.b.c`, `b.c`, `c`. */
const domainsOf = (name: string): string[] => {
  const labels = name.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
};

/** Returns the special-use domain that a DNS name in lower case is or is below, or undefined. */
const specialDomainOf = (name: string) => domainsOf(name).find((domain) => Object.hasOwn(SPECIAL_DOMAINS, domain));

/** Returns whether a DNS name is or is below a domain that nobody can register, such as `localhost` or `local`. */
export const isSpecialDomain = (dnsName: string): boolean => specialDomainOf(dnsName.toLowerCase()) !== undefined;

/** Returns the public suffix of a DNS name, and from which part of the Public Suffix List it comes. */
export const suffixOf = (name: string) =>
  parse(name, { allowPrivateDomains: true, detectIp: false, validateHostname: false });

/**
 * Returns the class of a DNS name in ASCII, or null for a name that anybody can register in the public DNS. The public suffix list includes
 * its private part, for example `github.io`: below such a suffix, every name belongs to somebody else.
 */
export function classOfDnsName(dnsName: string): NameClass | null {
  const name = dnsName.toLowerCase().replace(/^\*\./, "");
  const special = specialDomainOf(name);
  if (special !== undefined) return SPECIAL_DOMAINS[special] ?? null;
  if (!name.includes(".")) return "single-label";
  const { publicSuffix, isIcann, isPrivate } = suffixOf(name);
  if (!isIcann && !isPrivate) return "internal";
  return publicSuffix === name ? "public-suffix" : null;
}
