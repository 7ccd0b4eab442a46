import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** An IP network, or a single host when the prefix has all bits. */
export interface Network {
  address: string;
  prefix: number;
  family: "ipv4" | "ipv6";
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Splits `192.0.2.0/24` into its parts. An address without a prefix is a single host. Returns null when the entry is not valid. */
export function parseNetwork(entry: string): Network | null {
  const [address = "", bits, ...rest] = entry.trim().split("/");
  const most = isIP(address) === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  return isIP(address) > 0 && rest.length === 0 && prefix <= most
    ? { address, prefix, family: familyOf(address) }
    : null;
}

/** Returns a function that says whether an address is in one of the networks. Text that is not an address is in none of them. */
export function withinNetworks(networks: readonly Network[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
  return (address) => isIP(address) > 0 && list.check(address, familyOf(address));
}

/**
 * Returns the 32 hexadecimal digits of an address, with IPv4 as an address mapped to IPv6 (`::ffff:192.0.2.1`), so that the addresses of a
 * network follow each other. Returns null for text that is not an address.
 */
export function addressDigits(address: string): string | null {
  const given = address.split("%")[0] ?? "";
  const whole = isIPv4(given) ? `::ffff:${given}` : given;
  if (!isIPv6(whole)) return null;
  const canonical = new URL(`http://[${whole}]`).hostname.slice(1, -1); // without dots, and each group without leading zeros
  return groupsOf(canonical)
    .map((group) => group.padStart(4, "0"))
    .join("");
}

/** Returns the digits of the first and the last address of a network. */
export function digitsOfNetwork({ address, prefix, family }: Network): { first: string; last: string } {
  const free = BigInt((family === "ipv4" ? 32 : 128) - prefix);
  const first = (BigInt(`0x${addressDigits(address) ?? ""}`) >> free) << free;
  const last = first | ((1n << free) - 1n);
  return { first: first.toString(16).padStart(32, "0"), last: last.toString(16).padStart(32, "0") };
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right];
}

/** Returns the network of an address. For IPv6 that is the /64, because a single customer can use all of its addresses. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  return groupsOf(address).slice(0, 4).join(":");
}
