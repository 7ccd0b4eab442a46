import { domainToASCII } from "node:url";
import { mixesScriptsInLabel, shownLabels } from "~/ca/csr/look-alikes.server";
import { hostProblem } from "~/ca/names/name-policy.server";
import { isHostName } from "~/ca/x509/host-name.server";
import { allowedNames } from "~/lib/allowed-names.server";
import { type SubjectName } from "./subject-names.server";

/** Describes a certificate that TLS clients cannot match with a server, because it has neither a DNS name nor an IP address. */
export interface MissingHost {
  /** The common name as a DNS name (`xn--…` for a name with non-ASCII letters), or null when no certificate may have it as a DNS name. */
  dnsName: string | null;
}

function dnsNameOf(commonName: string): string | null {
  const ascii = domainToASCII(commonName);
  const isCertified =
    isHostName(ascii) &&
    shownLabels(ascii) !== null &&
    !mixesScriptsInLabel(ascii) &&
    hostProblem(ascii, { allowedNames: allowedNames() }) === null;
  return isCertified ? ascii : null;
}

/** Returns null when the names that the certificate will have include a host. */
export const missingHost = (commonName: string, names: readonly SubjectName[]): MissingHost | null =>
  names.some(({ type }) => type === "dns" || type === "ip") ? null : { dnsName: dnsNameOf(commonName) };
