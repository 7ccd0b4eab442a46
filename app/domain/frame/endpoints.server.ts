import { getConfig } from "~/lib/config.server";

/** Returns the address of an endpoint: the certificate authority's for `odette`, the other service's for anything else (FRM-01). */
export function endpointOf(targetSite: string): string {
  const { odetteCaEndPoint, oscarEndPoint } = getConfig();
  return targetSite === "odette" ? odetteCaEndPoint : oscarEndPoint;
}

/** Returns the origins of the two configured endpoints. A frame of the portal shows no others. */
export function partnerOrigins(): string[] {
  const { odetteCaEndPoint, oscarEndPoint } = getConfig();
  return [...new Set([odetteCaEndPoint, oscarEndPoint].map((address) => new URL(address).origin))];
}
