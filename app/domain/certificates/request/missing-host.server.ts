import { domainToASCII } from "node:url";
import { isHostName } from "~/ca/x509/host-name.server";
import { type SubjectName } from "./subject-names";

/** Told of a certificate that TLS clients cannot match with a server: it has neither a DNS name nor an IP address. */
export interface MissingHost {
  /** The common name as DNS name (`xn--…`) where it is a host's in other letters than ASCII's. */
  dnsName: string | null;
}

function dnsNameOf(commonName: string): string | null {
  const ascii = domainToASCII(commonName);
  return isHostName(ascii) ? ascii : null;
}

/** In: the common name, and the names that the certificate will have. Out: null when a host is among them. */
export const missingHost = (commonName: string, names: readonly SubjectName[]): MissingHost | null =>
  names.some(({ type }) => type === "dns" || type === "ip") ? null : { dnsName: dnsNameOf(commonName) };
