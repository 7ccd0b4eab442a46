import { isIP } from "node:net";
import { type RequestHandler } from "express";
import { type ProxyTrust } from "~/lib/trust-proxy-env.server";

const isForwarded = (name: string) => name === "forwarded" || name.startsWith("x-forwarded-");

/**
 * Sets the address of the client, which limits, locks and entries count (`addressOf`). Removes the forwarded headers of a request that does
 * not come from a trusted proxy, so that nothing after this reads what a client has invented. Where a trusted proxy forwards something that
 * is not an address, the address is that of the proxy.
 */
export const clientAddress =
  (isTrusted: ProxyTrust): RequestHandler =>
  (request, _response, next) => {
    const { remoteAddress = "" } = request.socket;
    if (!isTrusted(remoteAddress, 0))
      for (const name of Object.keys(request.headers).filter(isForwarded)) delete request.headers[name];
    const address = request.ip ?? "";
    request.headers["x-marque-address"] = isIP(address) > 0 ? address : remoteAddress;
    next();
  };
