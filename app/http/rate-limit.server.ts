import { isIPv6 } from "node:net";

export { countTry, tryAtField } from "~/domain/limits/tries.server";

/** The network that an address belongs to: a single IPv6 customer has a whole /64 to choose from. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}

/** The caller's network as server.ts saw it (TRUST_PROXY decides whether forwarded headers count). */
export const addressOf = (request: Request): string => networkOf(request.headers.get("x-marque-address") ?? "unknown");
