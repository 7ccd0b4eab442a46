import { keyChallenge } from "~/domain/certificates/revocation/key-proof/challenge.server";
import { issueCertificate, type IssueOptions } from "./certificates";
import { type MadeCsr, openssl } from "./openssl";

/** Returns a CSR of the key of another one with a challenge as its common name, as `openssl req` makes it. */
export const proofOf = ({ keyFile }: MadeCsr, challenge = keyChallenge()): string =>
  openssl(["req", "-new", "-key", keyFile, "-subj", `/CN=${challenge}`]);

/** Issues a certificate for this CSR. Returns the CSR that reports its key as compromised. */
export async function issueToReport(made: MadeCsr, customer?: IssueOptions["customer"]): Promise<string> {
  await issueCertificate({ ...(customer && { customer }), csr: made.der });
  return proofOf(made);
}
