import { verify } from "node:crypto";
import { CaError } from "../errors.server";
import { lintedIssuer } from "../lint/common-lints.server";
import { END_ENTITY_LINTS } from "../lint/end-entity-lints.server";
import { type LintFinding, lintText, runLints } from "../lint/lint.server";
import { PROFILE_LINTS } from "../lint/profile-lints.server";
import { caSignatureHash } from "../x509/algorithms.server";
import { type CertificateDescription, describeCertificate } from "./describe.server";
import { type Issuer } from "./issuer.server";
import { parseCertificate, type ParsedCertificate } from "./parse.server";
import { type PreparedCertificate } from "./prepare.server";

/** The finding that a certificate is not signed with the key of its issuer. */
const WRONG_SIGNATURE: LintFinding = {
  lint: "signature",
  source: "RFC 5280 §4.1.1.3",
  severity: "error",
  text: "The issued certificate differs from its order: signature.",
};

/** Returns whether the issuer's key signed the certificate. Throws a CaError `malformed` when the signature's algorithm is not this CA's. */
export const isSignedBy = (
  { signatureAlgorithm, tbs, signature }: ParsedCertificate,
  { publicKey }: Pick<Issuer, "publicKey">,
): boolean => verify(caSignatureHash(signatureAlgorithm), tbs, publicKey, signature);

function requireNone(findings: readonly LintFinding[]): void {
  const found = findings.find(({ severity }) => severity === "error");
  if (found) throw new CaError("issued-certificate-differs", lintText(found));
}

/**
 * Checks a signed certificate before it is stored: its TBS certificate is the recorded one, it contains exactly what was intended when it
 * is parsed again, it names this issuer, the issuer's key verifies its signature, and no lint finds an error. Returns the description of the
 * certificate. Throws a CaError `issued-certificate-differs` with the sentence and the name of the lint, or `malformed`.
 */
export function checkIssuedCertificate(
  der: Uint8Array,
  issuer: Issuer,
  { tbs, profile }: Pick<PreparedCertificate, "tbs" | "profile">,
): CertificateDescription {
  const certificate = parseCertificate(der);
  const description = describeCertificate(der, certificate);
  const linted = {
    certificate,
    description,
    issuer: {
      ...lintedIssuer(issuer.certificateDer),
      subjectDer: issuer.subjectDer,
      keyIdentifier: Buffer.from(issuer.keyIdentifier).toString("hex"),
    },
  };
  requireNone(runLints(PROFILE_LINTS, { ...linted, tbs, profile }));
  if (!isSignedBy(certificate, issuer)) requireNone([WRONG_SIGNATURE]);
  requireNone(runLints(END_ENTITY_LINTS, linted));
  return description;
}
