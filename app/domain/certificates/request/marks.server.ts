import { type BrokenRule } from "~/lib/broken-rule";
import { isOftpId, OFTP_ID_FORM } from "~/lib/oftp-id";
import { type CsrDetails } from "./csr-import.schema";
import { leftOutText } from "./csr-text";
import { explainedBreach } from "./explained-rules.server";
import { missingHost } from "./missing-host.server";
import { type SubjectName } from "./subject-names.server";

/** Names of a certificate for TLS that may lack a host. */
interface HostNames {
  commonName: string;
  /** The alternative names that the certificate will have. */
  names: readonly SubjectName[];
}

/**
 * Returns the mark of a certificate for TLS that no TLS client can match with a server, or an empty array.
 *
 * @param advise Returns what to do about it, given the common name as a DNS name, or null when it is not a host name.
 */
export function hostMarks({ commonName, names }: HostNames, advise: (dnsName: string | null) => string): BrokenRule[] {
  const missing = missingHost(commonName, names);
  if (missing === null) return [];
  const sentence =
    "The certificate will have neither a DNS name nor an IP address: with Secure session (TLS), partners cannot match it with the name of the server that they call.";
  return [explainedBreach("mark-host", `${sentence} ${advise(missing.dnsName)}`)];
}

/** Returns what the CSR of a new certificate needs so that TLS clients find the host. */
const newHostAdvice = (commonName: string) => (dnsName: string | null) =>
  dnsName === null
    ? "If they are to call a server of yours, import a CSR with its host name as alternative name (DNS)."
    : `For ${commonName} the CSR needs the alternative name DNS:${dnsName}.`;

const KEEPS_NAMES = "A renewal keeps the names; for others, order a new certificate.";

interface Marked extends HostNames {
  details: CsrDetails;
  isForTls: boolean;
  isRenewal: boolean;
}

/** Returns the marks of a CSR for its owner: what its certificate will not have, and what partners may not understand. */
export function marksOfCsr({ details, commonName, names, isForTls, isRenewal }: Marked): BrokenRule[] {
  const { leftOut, ssid } = details;
  return [
    ...(leftOut.length > 0 ? [explainedBreach("mark-left-out", leftOutText(leftOut))] : []),
    ...(ssid !== null && !isOftpId(ssid)
      ? [
          explainedBreach(
            "mark-oftp-id",
            `The serial number ${ssid} does not have the form of an OFTP ID (${OFTP_ID_FORM}). It goes into the certificate as it is; OFTP2 software may not find the certificate by it.`,
          ),
        ]
      : []),
    ...(isForTls ? hostMarks({ commonName, names }, isRenewal ? () => KEEPS_NAMES : newHostAdvice(commonName)) : []),
  ];
}
