import { isIPv4 } from "node:net";
import { type NameClass } from "~/lib/name-classes";
import { addressDigits, type Network, parseNetwork, withinNetworks } from "~/lib/networks.server";

/** Networks of IANA's registries of special-purpose addresses (RFC 6890), and those for multicast. */
const NETWORKS: readonly (readonly [NameClass, readonly string[]])[] = [
  ["private-address", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"]],
  ["documentation", ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"]],
  [
    "special-address",
    [
      "0.0.0.0/8",
      "127.0.0.0/8",
      "169.254.0.0/16",
      "192.0.0.0/24",
      "192.88.99.0/24",
      "198.18.0.0/15",
      "224.0.0.0/4",
      "240.0.0.0/4",
      "2001::/23",
      "2002::/16",
    ],
  ],
];

const parsed = (entries: readonly string[]): Network[] => entries.map((entry) => parseNetwork(entry) as Network);

const CLASSES = NETWORKS.map(([name, entries]) => ({ name, contains: withinNetworks(parsed(entries)) }));

/** The only IPv6 addresses that belong to hosts on the internet (RFC 4291 §2.4). */
const isGlobalUnicast = withinNetworks(parsed(["2000::/3"]));

const MAPPED = "0".repeat(20) + "ffff";

/** Returns the IPv4 address inside an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2), and any other address unchanged. */
export function unmappedAddress(address: string): string {
  const digits = addressDigits(address);
  if (!digits?.startsWith(MAPPED)) return address;
  return [...Buffer.from(digits.slice(MAPPED.length), "hex")].join(".");
}

/** Returns the class of an IP address, or null for one that can belong to a host on the internet. */
export function classOfAddress(address: string): NameClass | null {
  const judged = unmappedAddress(address);
  const found = CLASSES.find(({ contains }) => contains(judged));
  if (found) return found.name;
  return isIPv4(judged) || isGlobalUnicast(judged) ? null : "special-address";
}
