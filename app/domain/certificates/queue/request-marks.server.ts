import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { type Csr } from "~/ca/csr/read.server";
import { type BrokenRule } from "~/lib/broken-rule";
import { isOftpId, OFTP_ID_FORM } from "~/lib/oftp-id";
import { getDb } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { findListOfKey } from "~db/repositories/listed-keys.server";
import { explainedBreach } from "../request/explained-rules.server";
import { hostMarks } from "../request/marks.server";
import { type SubjectName } from "../request/subject-names.server";

const ASK = "Ask the customer whether this is intended.";

/** Returns what staff do about an order for TLS without a host. */
const hostAdvice = ({ commonName, previousCertificateId, isCorrection }: CertificateRow) =>
  previousCertificateId === null || isCorrection
    ? (dnsName: string | null) =>
        dnsName === null ? ASK : `For ${commonName} the CSR would need the alternative name DNS:${dnsName}. ${ASK}`
    : () => `Certificate ${previousCertificateId}, which it follows, has none either.`;

/** Returns the marks of an order's request for staff, who decide about them. `names` are those that the certificate will have. */
export const marksOfOrder = (row: CertificateRow, names: readonly SubjectName[]): BrokenRule[] => [
  ...(row.ssid !== null && !isOftpId(row.ssid)
    ? [
        explainedBreach(
          "mark-oftp-id",
          `The serial number (SSID) is not a valid OFTP ID, which has ${OFTP_ID_FORM}. Partners' software may not find the certificate by it: ask the customer whether this is intended.`,
        ),
      ]
    : []),
  ...(row.hasSecureSession ? hostMarks({ ...row, names }, hostAdvice(row)) : []),
];

/**
 * Returns what is wrong with the key of an order, for staff.
 *
 * @param isInUse Whether the key belongs to a certificate or an order of another subject.
 */
export async function keyMarksOf({ keyIdentity }: CertificateRow, csr: Csr, isInUse: boolean): Promise<BrokenRule[]> {
  const list = await findListOfKey(getDb(), listFingerprints(csr));
  return [
    ...((await isKeyBlocked(getDb(), keyIdentity))
      ? [explainedBreach("key-blocked", "This public key is blocked because it was compromised.")]
      : []),
    ...(list === null
      ? []
      : [explainedBreach("key-listed", `This public key is on the list '${list}' of known bad keys.`)]),
    ...(isInUse
      ? [explainedBreach("key-in-use", "This public key belongs to a certificate or an order of another subject.")]
      : []),
  ];
}
