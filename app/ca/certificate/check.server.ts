import { verify } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { CaError } from "../errors.server";
import { caSignatureHash } from "../x509/algorithms.server";
import { type CertificateDescription, describeCertificate } from "./describe.server";
import { type Issuer } from "./issuer.server";
import { parseCertificate } from "./parse.server";
import { type PreparedCertificate } from "./prepare.server";
import { type CertificateProfile, profileOf } from "./profile.server";

/**
 * Checks a signed certificate before it is stored: its TBS certificate is the recorded one, it contains exactly what was intended when it
 * is parsed again, it names this issuer, and the issuer's key verifies its signature. Returns the description of the certificate. Throws a
 * CaError `issued-certificate-differs` that names the difference, or `malformed`.
 */
export function checkIssuedCertificate(
  der: Uint8Array,
  issuer: Issuer,
  { tbs, profile }: Pick<PreparedCertificate, "tbs" | "profile">,
): CertificateDescription {
  const certificate = parseCertificate(der);
  const description = describeCertificate(der, certificate);
  const actual = profileOf(description);
  requireMatch(sameBytes(certificate.tbs, tbs), "to-be-signed part");
  for (const key of Object.keys(actual) as (keyof CertificateProfile)[]) {
    requireMatch(isDeepStrictEqual(actual[key], profile[key]), key);
  }
  requireMatch(!description.isCa, "basicConstraints");
  requireMatch(sameBytes(certificate.issuer.der, issuer.subjectDer), "issuer");
  requireMatch(description.authorityKeyIdentifier === Buffer.from(issuer.keyIdentifier).toString("hex"), "issuer");
  const hash = caSignatureHash(certificate.signatureAlgorithm);
  requireMatch(verify(hash, certificate.tbs, issuer.publicKey, certificate.signature), "signature");
  return description;
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

function requireMatch(holds: boolean, what: string): void {
  if (!holds)
    throw new CaError("issued-certificate-differs", `The issued certificate differs from its order: ${what}.`);
}
