import { randomBytes } from "node:crypto";
import { readIssuer } from "../certificate/issuer.server";
import { type CertificateRequest, prepareCertificate, type PreparedCertificate } from "../certificate/prepare.server";
import { readTbsCertificate } from "../certificate/tbs.server";
import { type SignatureHash } from "../signer.server";
import { lintedIssuer } from "./common-lints.server";
import { END_ENTITY_LINTS } from "./end-entity-lints.server";
import { type LintFinding, runLints } from "./lint.server";
import { PROFILE_LINTS } from "./profile-lints.server";

/**
 * Applies all lints to the TBS certificate of a customer before it is signed. It takes a fraction of a millisecond. Throws a CaError
 * `malformed` when the bytes are not a TBS certificate of this CA.
 *
 * @param issuerCertificate DER of the CA that is to sign.
 * @param hash The hash of that CA.
 */
export function lintPrepared(
  { tbs, profile }: Pick<PreparedCertificate, "tbs" | "profile">,
  issuerCertificate: Uint8Array,
  hash: SignatureHash,
): LintFinding[] {
  const { parsed, description } = readTbsCertificate(tbs, hash);
  const linted = { certificate: parsed, description, issuer: lintedIssuer(issuerCertificate) };
  return [...runLints(PROFILE_LINTS, { ...linted, tbs, profile }), ...runLints(END_ENTITY_LINTS, linted)];
}

/** What a certificate is to contain, as plain data that can be copied to another thread. */
export interface PlainRequest extends Omit<CertificateRequest, "issuer" | "random"> {
  /** DER of the CA that is to sign. */
  issuerDer: Uint8Array;
}

/** A certificate that is ready to be signed, and what the lints find in it. */
export interface PreparedAndLinted {
  prepared: PreparedCertificate;
  findings: LintFinding[];
}

/** Prepares a certificate and applies all lints to it. Signs and stores nothing. Throws what `prepareCertificate` throws. */
export function prepareLinted({ issuerDer, ...request }: PlainRequest): PreparedAndLinted {
  const prepared = prepareCertificate({ ...request, issuer: readIssuer(issuerDer), random: randomBytes });
  return { prepared, findings: lintPrepared(prepared, issuerDer, request.hash) };
}
