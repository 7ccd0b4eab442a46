import { z } from "zod";
import { type Network, parseNetwork, withinNetworks } from "./networks.server";

/**
 * Returns whether the portal believes the forwarded headers of the computer at `address`. `hop` is 0 for the computer that connects to the
 * portal, 1 for the one that connects to that computer, and so on.
 */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** The networks that Express knows by name. */
const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ["loopback", ["127.0.0.0/8", "::1"]],
  ["linklocal", ["169.254.0.0/16", "fe80::/10"]],
  ["uniquelocal", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]],
]);

const VALUES =
  "the number of reverse proxies in front of the portal (1 to 10), their addresses or networks such as '192.0.2.7, 10.0.0.0/8', or 0 for none";

/** The line that stops a start for real use without TRUST_PROXY. */
export const TRUST_PROXY_MISSING = `TRUST_PROXY must be set when PUBLIC_URL is https, to ${VALUES}`;

const trustsEverybody = (value: string) => /^\s*(true|yes|on)\s*$|\/0+\s*(,|$)/i.test(value);

function parseNetworks(value: string): Network[] | null {
  const entries = value.split(",").flatMap((entry) => NAMED.get(entry.trim()) ?? entry);
  const networks = entries.map(parseNetwork);
  return networks.every((network) => network !== null) ? networks : null;
}

function parseTrust(value: string): ProxyTrust | null {
  if (value === "0" || value === "off") return () => false;
  if (/^([1-9]|10)$/.test(value)) return (_, hop) => hop < Number(value);
  const networks = parseNetworks(value);
  return networks && withinNetworks(networks);
}

/** The proxies whose forwarded headers count. */
export const trustProxy = z
  .string()
  .refine((value) => !trustsEverybody(value), {
    message: `must not trust everybody, because then anybody could invent the address that the portal counts and records; set ${VALUES}`,
  })
  .transform(parseTrust)
  .refine((trust): trust is ProxyTrust => trust !== null, { message: `must be ${VALUES}` });
