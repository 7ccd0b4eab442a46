import { type CaCertificateParts, encodeCaTbs } from "./certificate/ca-tbs.server";
import { assembleCertificate, newSerial } from "./certificate/encode.server";
import { type Issuer } from "./certificate/issuer.server";
import { type CertificatePolicy, type CertificateUrls } from "./certificate/profile.server";
import { CaError } from "./errors.server";
import { type RandomSource } from "./keys.server";
import { type SignatureHash, type Signer } from "./signer.server";
import { encodeName, type SubjectFields } from "./x509/name.server";
import { keyIdentifierOf } from "./x509/public-key.server";
import { wholeSeconds } from "./x509/time.server";

export type CaHierarchyName = "sha2" | "g3";

/** The two hierarchies of CAL-01. Lifetimes are in years. */
export const HIERARCHIES: Readonly<
  Record<CaHierarchyName, { hash: SignatureHash; keyBits: number; rootYears: number; issuingYears: number }>
> = {
  sha2: { hash: "sha256", keyBits: 4096, rootYears: 20, issuingYears: 10 },
  g3: { hash: "sha512", keyBits: 4096, rootYears: 25, issuingYears: 10 },
};

export interface RootRequest {
  subject: SubjectFields;
  /** The root's own public key. `signer` signs with its private key. */
  spkiDer: Uint8Array;
  signer: Signer;
  years: number;
  now: Date;
  random: RandomSource;
}

export interface IssuingRequest extends RootRequest, Pick<CaCertificateParts, "nameConstraints" | "extendedKeyUsage"> {
  /** The CA above. `signer` signs with its key. */
  issuer: Issuer;
  policy?: CertificatePolicy;
  /** Addresses of the CRL and the certificate of the CA above. */
  urls?: CertificateUrls;
}

/** Returns the DER of a self-signed root certificate (RFC 5280 §4): a CA without path length, with keyCertSign and cRLSign. */
export async function createRootCertificate(request: RootRequest): Promise<Uint8Array> {
  const subjectDer = encodeName(request.subject);
  const keyIdentifier = keyIdentifierOf(request.spkiDer);
  return sign(request, { subjectDer, keyIdentifier, notAfter: life(request).notAfter }, {});
}

/**
 * Returns the DER of an issuing CA's certificate: a CA with path length 0, keyCertSign and cRLSign, which ends no later than its issuer.
 * Throws a CaError `invalid-argument` when the issuer has ended.
 */
export const createIssuingCertificate = (request: IssuingRequest): Promise<Uint8Array> =>
  sign(request, request.issuer, {
    pathLength: 0,
    policy: request.policy,
    urls: request.urls,
    nameConstraints: request.nameConstraints,
    extendedKeyUsage: request.extendedKeyUsage,
  });

type Authority = Pick<Issuer, "subjectDer" | "keyIdentifier" | "notAfter">;

function life({ now, years }: RootRequest): { notBefore: Date; notAfter: Date } {
  const notBefore = wholeSeconds(now);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + years);
  return { notBefore, notAfter };
}

async function sign(
  request: RootRequest,
  issuer: Authority,
  content: Pick<CaCertificateParts, "pathLength" | "policy" | "urls" | "nameConstraints" | "extendedKeyUsage">,
): Promise<Uint8Array> {
  const { subject, spkiDer, signer, random } = request;
  const { notBefore, notAfter } = life(request);
  const end = notAfter < issuer.notAfter ? notAfter : issuer.notAfter;
  if (end <= notBefore) throw new CaError("invalid-argument", "The CA above has ended, or the life is not positive.");
  const tbs = encodeCaTbs({
    ...content,
    serial: newSerial(random),
    hash: signer.hash,
    issuer,
    notBefore,
    notAfter: end,
    subjectDer: encodeName(subject),
    spkiDer,
  });
  return assembleCertificate(tbs, await signer.sign(tbs), signer.hash);
}
