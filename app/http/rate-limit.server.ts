import { isIPv6 } from "node:net";

/** Returns the network of an address. For IPv6 that is the /64, because a single customer can use all of its addresses. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}

/** Returns the network of the caller as server.ts determined it. TRUST_PROXY decides whether forwarded headers count. */
export const addressOf = (request: Request): string => networkOf(request.headers.get("x-marque-address") ?? "unknown");
