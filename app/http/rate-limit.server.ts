import { networkOf } from "~/lib/networks.server";

/** Returns the network of the caller as server.ts determined it. TRUST_PROXY decides whether forwarded headers count. */
export const addressOf = (request: Request): string => networkOf(request.headers.get("x-marque-address") ?? "unknown");
