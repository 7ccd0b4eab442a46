import { checkKey, type KeyPolicy } from "./check-key.server";
import { checkNames } from "./check-names.server";
import { checkSubject } from "./check-subject.server";
import { type Csr } from "./read.server";
import { type CsrRefusal, refuseIf } from "./refusal.server";
import { verifyCsrSignature } from "./signature.server";

export interface CsrPolicy extends KeyPolicy {
  /** ISO 3166-1 alpha-2 codes, upper case. */
  countryCodes: ReadonlySet<string>;
  /** The OFTP ID of the certificate that this one follows. */
  keptSsid?: string | null;
}

const SOUND_HASHES: readonly (string | null)[] = ["sha256", "sha384", "sha512"];

/**
 * Every rule of the CA's CSR policy (PUR-11) that the CSR breaks; an empty list is an acceptable CSR. Whether the key is blocked
 * or in use elsewhere is known to the database and not judged here.
 */
export function checkCsr(csr: Csr, policy: CsrPolicy): CsrRefusal[] {
  const keyRefusals = checkKey(csr.publicKey, policy);
  return [
    ...keyRefusals,
    // A key outside the limits is not calculated with: a huge one would cost seconds.
    ...(keyRefusals.length === 0 ? checkSignature(csr) : []),
    ...checkSubject(csr.subjectAttributes, policy.countryCodes),
    ...checkNames(csr.subjectAlternateName, policy.keptSsid),
  ];
}

/**
 * SHA-1 is refused although it would verify: a self-signature proves possession only while nobody can make two documents with the
 * same hash, and for SHA-1 chosen-prefix collisions are practical.
 */
function checkSignature({ signature, spkiDer }: Csr): CsrRefusal[] {
  if (!SOUND_HASHES.includes(signature.hash)) {
    return refuseIf(
      true,
      "signature-algorithm",
      `CSR signature algorithm: the CSR is signed with ${signature.algorithm}, which is not accepted. Create the CSR again with SHA-256, SHA-384 or SHA-512.`,
    );
  }
  return refuseIf(
    !verifyCsrSignature(signature, spkiDer),
    "signature-invalid",
    "CSR signature: it does not match the public key in the CSR, so the CSR was changed or damaged after it was made. Create the CSR again with your private key.",
  );
}
