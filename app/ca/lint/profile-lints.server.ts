import { isDeepStrictEqual } from "node:util";
import { type CertificateProfile, profileOf } from "../certificate/profile.server";
import { hasSameBytes, type LintedCertificate } from "./common-lints.server";
import { type Lint, PROFILE_SECTION, sayIf } from "./lint.server";

/** A certificate with what was recorded before it was signed. */
export interface IntendedCertificate extends LintedCertificate {
  tbs: Uint8Array;
  profile: CertificateProfile;
}

const differs = (isDifferent: boolean, what: string) =>
  sayIf(isDifferent, `The issued certificate differs from its order: ${what}.`);

const FIELDS = {
  serial: "serial",
  signatureAlgorithm: "signature-algorithm",
  notBefore: "not-before",
  notAfter: "not-after",
  subject: "subject",
  alternateNames: "alternative-names",
  keyUsage: "key-usage",
  extendedKeyUsage: "extended-key-usage",
  spkiSha256: "public-key",
  issuerKeyIdentifier: "issuer-key",
  policy: "policy",
  urls: "addresses",
} as const satisfies Record<keyof CertificateProfile, string>;

/** The rules that compare a certificate with what was recorded before it was signed. */
export const PROFILE_LINTS: readonly Lint<IntendedCertificate>[] = [
  {
    name: "intended-tbs",
    source: PROFILE_SECTION,
    severity: "error",
    find: ({ certificate, tbs }) => differs(!hasSameBytes(certificate.tbs, tbs), "to-be-signed part"),
  },
  ...(Object.keys(FIELDS) as (keyof CertificateProfile)[]).map((field): Lint<IntendedCertificate> => ({
    name: `intended-${FIELDS[field]}`,
    source: PROFILE_SECTION,
    severity: "error",
    find: ({ description, profile }) =>
      differs(!isDeepStrictEqual(profileOf(description)[field], profile[field]), field),
  })),
  {
    name: "intended-basic-constraints",
    source: "RFC 5280 §4.2.1.9",
    severity: "error",
    find: ({ description: { isCa } }) => differs(isCa, "basicConstraints"),
  },
  {
    name: "intended-issuer",
    source: "RFC 5280 §4.1.2.4, §4.2.1.1",
    severity: "error",
    find: ({ certificate, description, issuer }) =>
      differs(
        !issuer ||
          !hasSameBytes(certificate.issuer.der, issuer.subjectDer) ||
          description.authorityKeyIdentifier !== issuer.keyIdentifier,
        "issuer",
      ),
  },
];
