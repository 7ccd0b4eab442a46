import { type IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { type RequestHandler } from "express";
import { type ProxyTrust } from "~/lib/trust-proxy-env.server";

const isForwarded = (name: string) => name === "forwarded" || name.startsWith("x-forwarded-");

/**
 * Returns the address of the client: that of the computer which connects, or the one that trusted proxies forward (X-Forwarded-For). Where
 * a trusted proxy forwards something that is not an address, the address is that of the computer which connects.
 */
export function clientAddressOf({ socket, headers }: IncomingMessage, isTrusted: ProxyTrust): string {
  const { remoteAddress = "" } = socket;
  if (headers["x-forwarded-for"] === undefined) return remoteAddress;
  const forwarded = [headers["x-forwarded-for"]].flat().join().split(",").reverse();
  const hops = [remoteAddress, ...forwarded.map((entry) => entry.trim()).filter(Boolean)];
  const client = hops.find((address, hop) => !isTrusted(address, hop)) ?? hops.at(-1) ?? "";
  return isIP(client) > 0 ? client : remoteAddress;
}

/**
 * Sets the address of the client, which limits, locks and entries count (`addressOf`). Removes the forwarded headers of a request that does
 * not come from a trusted proxy, so that nothing after this reads what a client has invented.
 */
export const clientAddress =
  (isTrusted: ProxyTrust): RequestHandler =>
  (request, _response, next) => {
    if (!isTrusted(request.socket.remoteAddress ?? "", 0))
      for (const name of Object.keys(request.headers).filter(isForwarded)) delete request.headers[name];
    request.headers["x-marque-address"] = clientAddressOf(request, isTrusted);
    next();
  };
