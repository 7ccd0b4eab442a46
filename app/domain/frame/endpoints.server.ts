import { getConfig } from "~/lib/config.server";

/** `odette` names the certificate authority's endpoint, anything else the other service's (FRM-01). Out: its address. */
export function endpointOf(targetSite: string): string {
  const { odetteCaEndPoint, oscarEndPoint } = getConfig();
  return targetSite === "odette" ? odetteCaEndPoint : oscarEndPoint;
}

/** The origins of the two configured endpoints: all that a frame of the portal ever shows. */
export function partnerOrigins(): string[] {
  const { odetteCaEndPoint, oscarEndPoint } = getConfig();
  return [...new Set([odetteCaEndPoint, oscarEndPoint].map((address) => new URL(address).origin))];
}
