import { verify } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type SignatureHash } from "../signer.server";
import { caSignatureHash } from "../x509/algorithms.server";
import { describeCertificate } from "./describe.server";
import { type Issuer } from "./issuer.server";
import { parseCertificate } from "./parse.server";

/** The smallest RSA modulus of a CA's key, in bits. */
const SMALLEST_KEY = 3072;

const same = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

export interface AuthorityRules {
  /** The CA that must have signed the certificate. For a root it is the certificate itself. */
  issuer: Issuer;
  hash: SignatureHash;
  isRoot: boolean;
  now: Date;
}

/**
 * Returns why a certificate cannot be that of a CA of this portal, as the end of a sentence about the certificate, or null when it can: it
 * is signed by the issuer with this hash, is valid now and no longer than its issuer, has the extensions of a CA (an issuing CA with path
 * length 0), and an RSA key of 3072 bits or more. Throws a CaError `malformed` when the bytes are no certificate.
 */
export function authorityProblem(der: Uint8Array, { issuer, hash, isRoot, now }: AuthorityRules): string | null {
  const certificate = parseCertificate(der);
  const found = describeCertificate(der, certificate);
  const rules: [holds: () => boolean, problem: string][] = [
    [() => same(certificate.issuer.der, issuer.subjectDer), "names another issuer"],
    [() => !isRoot || same(certificate.subject.der, certificate.issuer.der), "is not self-signed"],
    [
      () => caSignatureHash(certificate.signatureAlgorithm) === hash,
      `is not signed with ${hash.toUpperCase()} and RSA`,
    ],
    [
      () => verify(hash, certificate.tbs, issuer.publicKey, certificate.signature),
      isRoot ? "is not signed with its own key" : "is not signed with the root's key, or was changed afterwards",
    ],
    [() => found.isCa, "is not that of a CA (basicConstraints)"],
    [
      () => found.pathLength === (isRoot ? null : 0),
      isRoot ? "has a path length, which a root must not have" : "must have the path length 0",
    ],
    [
      () => isDeepStrictEqual([...found.keyUsage].sort(), ["cRLSign", "keyCertSign"]),
      "must have the key usages keyCertSign and cRLSign, and no other",
    ],
    [
      () =>
        (isRoot && found.authorityKeyIdentifier === null) || // optional there (RFC 5280 §4.2.1.1)
        found.authorityKeyIdentifier === Buffer.from(issuer.keyIdentifier).toString("hex"),
      "names another key of its issuer (authorityKeyIdentifier)",
    ],
    [() => found.subjectKeyIdentifier !== null, "has no subjectKeyIdentifier"],
    [
      () => found.keyAlgorithm === "RSA" && found.keySize >= SMALLEST_KEY,
      `must have an RSA key of ${SMALLEST_KEY} bits or more`,
    ],
    [() => certificate.notBefore <= now, `is valid only from ${found.startDate}`],
    [() => certificate.notAfter > now, `ended on ${found.endDate}`],
    [() => certificate.notAfter <= issuer.notAfter, "ends after its issuer"],
  ];
  return rules.find(([holds]) => !holds())?.[1] ?? null;
}
