import { checkSubjectHosts, type NamePolicy } from "../names/name-policy.server";
import { toSubjectFields } from "../x509/name.server";
import { checkKey, type KeyPolicy } from "./check-key.server";
import { checkNames } from "./check-names.server";
import { checkSubject } from "./check-subject.server";
import { type Csr } from "./read.server";
import { refuseIf } from "./refusal.server";
import { type RequestRefusal } from "./rules/catalogue";
import { verifyCsrSignature } from "./signature.server";

export interface CsrPolicy extends KeyPolicy, NamePolicy {
  /** ISO 3166-1 alpha-2 codes, upper case. */
  countryCodes: ReadonlySet<string>;
  /** The OFTP ID of the previous certificate. */
  keptSsid?: string | null;
}

/** The hashes with which a CSR may be signed. */
export const SOUND_HASHES = ["sha256", "sha384", "sha512"] as const;

/**
 * Returns a refusal for every rule of the CA's CSR policy (PUR-11) that the CSR breaks. The array is empty when the CSR is acceptable.
 * Whether the key is blocked or already in use is not checked here, because that requires the database.
 */
export function checkCsr(csr: Csr, policy: CsrPolicy): RequestRefusal[] {
  const keyRefusals = checkKey(csr.publicKey, policy);
  return [
    ...keyRefusals,
    // The signature is not verified with a key outside the limits: a huge key would take seconds.
    ...(keyRefusals.length === 0 ? checkSignature(csr) : []),
    ...checkSubject(csr.subjectAttributes, policy.countryCodes),
    ...checkSubjectHosts(toSubjectFields(csr.subjectAttributes), policy),
    ...checkNames(csr.subjectAlternateName, policy),
  ];
}

/**
 * Checks the self-signature. SHA-1 is refused although the signature would verify. A self-signature proves possession only as long as
 * nobody can make two documents with the same hash, and chosen-prefix collisions of SHA-1 are practical.
 */
function checkSignature({ signature, spkiDer }: Csr): RequestRefusal[] {
  if (!SOUND_HASHES.some((hash) => hash === signature.hash)) {
    return refuseIf(
      true,
      "signature-algorithm",
      `CSR signature algorithm: the CSR is signed with ${signature.algorithm}, which is not accepted.`,
    );
  }
  return refuseIf(
    !verifyCsrSignature(signature, spkiDer),
    "signature-invalid",
    "CSR signature: it does not match the public key in the CSR, so the CSR was changed or damaged after it was made.",
  );
}
