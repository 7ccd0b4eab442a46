import { describeCertificate } from "../certificate/describe.server";
import { readIssuer } from "../certificate/issuer.server";
import { parseCertificate, type ParsedCertificate } from "../certificate/parse.server";
import { checkKey } from "../csr/check-key.server";
import { checkSubject } from "../csr/check-subject.server";
import { limitsOf } from "../names/issuer-limits.server";
import { OID } from "../oids.server";
import {
  ADDRESSES,
  AUTHORITY_KEY,
  type ExtensionRules,
  hasSameBytes,
  ISSUER_NAME,
  ISSUER_NAMES,
  type LintedCertificate,
  lintedIssuer,
  ownKeyIdentifier,
  SERIAL_LINTS,
  SIGNATURE_ALGORITHM,
  SUBJECT_STRINGS,
  VALIDITY_LINTS,
  wrongExtensions,
} from "./common-lints.server";
import { LIMIT_ERRORS, LIMIT_WARNINGS, type LimitedCa } from "./limit-lints.server";
import { type Lint, type LintFinding, PROFILE_SECTION, runLints, sayIf } from "./lint.server";

/** The certificates that the owner of a CA signs, and those of OCSP responders. */
export type CaCertificateKind = "root" | "issuing" | "cross-certificate" | "ocsp-responder";

/** The certificate that a cross-certificate stands beside. */
interface ExistingCertificate {
  notBefore: Date;
  subjectDer: Uint8Array;
  pathLength: number | null;
  keyIdentifier: string;
}

interface CaCertificate extends LintedCertificate, LimitedCa {
  kind: CaCertificateKind;
  existing: ExistingCertificate | null;
  /** Whether the key stands in for one that is not made yet. Then its numbers say nothing. */
  hasUnknownKey: boolean;
}

/** The extensions of each kind (RFC 5280 §4.2). */
const CA: ExtensionRules = {
  [OID.basicConstraints]: "critical",
  [OID.keyUsage]: "critical",
  [OID.subjectKeyIdentifier]: "plain",
  [OID.authorityKeyIdentifier]: "plain",
};
const BELOW: ExtensionRules = { ...CA, [OID.cRLDistributionPoints]: "plain", [OID.authorityInfoAccess]: "plain" };
const LIMITS: ExtensionRules = { [OID.nameConstraints]: "critical?", [OID.extKeyUsage]: "plain?" };
const EXTENSIONS: Record<CaCertificateKind, ExtensionRules> = {
  root: CA,
  issuing: { ...BELOW, ...LIMITS, [OID.certificatePolicies]: "plain" },
  "cross-certificate": { ...BELOW, ...LIMITS, [OID.certificatePolicies]: "plain?" },
  "ocsp-responder": { ...CA, [OID.extKeyUsage]: "plain", [OID.ocspNoCheck]: "plain" },
};

/** The key usages that each kind must have, exactly. */
const USAGES = { ca: ["keyCertSign", "cRLSign"], responder: ["digitalSignature"] };

/** A responder has no revocation, so its life must be short. */
const RESPONDER_DAYS = 100;
const ROOT_YEARS = 25;
const ISSUING_YEARS = 10;
const YEAR_DAYS = 365.2425;
const DAY_MS = 86_400_000;
const USUAL_BITS = 4096;

const daysOf = ({ notBefore, notAfter }: ParsedCertificate) => (notAfter.getTime() - notBefore.getTime()) / DAY_MS;

const isResponder = ({ kind }: CaCertificate) => kind === "ocsp-responder";

function subjectProblems({ certificate: { subject } }: CaCertificate): string[] {
  const country = subject.attributes.find(({ oid }) => oid === OID.countryName)?.value ?? "";
  const countryCodes = new Set(/^[A-Z]{2}$/.test(country) ? [country] : []);
  return checkSubject(subject.attributes, countryCodes).map(({ message }) => message.replace(/ Create .*$/, ""));
}

const ERRORS: readonly Lint<CaCertificate>[] = [
  ...SERIAL_LINTS,
  { name: "subject-attributes", source: "RFC 5280 appendix A.1", severity: "error", find: subjectProblems },
  SUBJECT_STRINGS,
  ISSUER_NAME,
  ISSUER_NAMES,
  {
    name: "path-length-of-issuer",
    source: "RFC 5280 §4.2.1.9",
    severity: "error",
    find: (subject) =>
      sayIf(
        subject.issuer?.pathLength === 0 && !isResponder(subject),
        "The issuer has the path length 0, so it must not sign CAs.",
      ),
  },
  {
    name: "cross-certificate-of-another",
    source: "RFC 5280 §3.2",
    severity: "error",
    find: ({ existing, issuer }) =>
      sayIf(
        existing !== null && issuer !== null && hasSameBytes(issuer.subjectDer, existing.subjectDer),
        "A cross-certificate must be signed by another CA than the one that it is for.",
      ),
  },
  ...VALIDITY_LINTS.slice(0, 1),
  {
    name: "validity-after-issuer",
    source: PROFILE_SECTION,
    severity: "error",
    find: ({ certificate: { notBefore }, issuer }) =>
      sayIf(issuer !== null && notBefore < issuer.notBefore, "The certificate must not begin before its issuer."),
  },
  ...VALIDITY_LINTS.slice(1),
  {
    name: "validity-after-existing",
    source: PROFILE_SECTION,
    severity: "error",
    find: ({ certificate: { notBefore }, existing }) =>
      sayIf(
        existing !== null && notBefore < existing.notBefore,
        "A cross-certificate must not begin before the certificate that exists.",
      ),
  },
  {
    name: "public-key",
    source: "RFC 8017 §3.1, practice statement §6.1.5",
    severity: "error",
    find: ({ certificate: { key }, hasUnknownKey }) =>
      hasUnknownKey ? [] : checkKey(key.publicKey, { keyAlgorithms: ["RSA"] }).map(({ message }) => message),
  },
  {
    name: "extensions",
    source: "RFC 5280 §4.2",
    severity: "error",
    find: ({ certificate, kind }) => wrongExtensions(certificate, EXTENSIONS[kind]),
  },
  SIGNATURE_ALGORITHM,
  {
    name: "ca-or-not",
    source: "RFC 5280 §4.2.1.9",
    severity: "error",
    find: (subject) =>
      sayIf(
        subject.description.isCa === isResponder(subject),
        isResponder(subject) ? "A responder must not be a CA." : "The certificate must be that of a CA.",
      ),
  },
  {
    name: "path-length",
    source: "RFC 5280 §4.2.1.9",
    severity: "error",
    find: ({ kind, description: { pathLength }, existing }) => {
      const limit = existing?.pathLength ?? null;
      return [
        ...sayIf(kind === "root" && pathLength !== null, "A root must have no path length."),
        ...sayIf(kind === "issuing" && pathLength !== 0, "An issuing CA must have the path length 0."),
        ...sayIf(
          limit !== null && (pathLength === null || pathLength > limit),
          `The path length must not be above ${limit}, that of the certificate that exists.`,
        ),
      ];
    },
  },
  {
    name: "key-usage",
    source: "RFC 5280 §4.2.1.3",
    severity: "error",
    find: (subject) => {
      const usages = isResponder(subject) ? USAGES.responder : USAGES.ca;
      const isWrong = String(subject.description.keyUsage) !== String(usages);
      return sayIf(isWrong, `The key usage must be exactly ${usages.join(" and ")}.`);
    },
  },
  {
    name: "responder-purpose",
    source: "RFC 6960 §4.2.2.2",
    severity: "error",
    find: (subject) =>
      sayIf(
        isResponder(subject) && String(subject.description.enhancedKeyUsage) !== "OCSPSigning",
        "The extended key usage must be exactly OCSPSigning.",
      ),
  },
  {
    name: "subject-key-identifier",
    source: "RFC 5280 §4.2.1.2",
    severity: "error",
    find: ({ certificate, description, existing }) =>
      sayIf(
        description.subjectKeyIdentifier !== (existing?.keyIdentifier ?? ownKeyIdentifier(certificate)),
        "The subject key identifier is not that of the key.",
      ),
  },
  AUTHORITY_KEY,
  ADDRESSES,
  ...LIMIT_ERRORS,
];

const WARNINGS: readonly Lint<CaCertificate>[] = [
  {
    name: "responder-life",
    source: "RFC 6960 §4.2.2.2.1",
    severity: "warning",
    find: (subject) =>
      sayIf(
        isResponder(subject) && daysOf(subject.certificate) > RESPONDER_DAYS,
        `A responder cannot be revoked, and this one is valid for more than ${RESPONDER_DAYS} days.`,
      ),
  },
  {
    name: "ca-life",
    source: PROFILE_SECTION,
    severity: "warning",
    find: (subject) => {
      const most = subject.kind === "root" ? ROOT_YEARS : ISSUING_YEARS;
      const isLong = !isResponder(subject) && daysOf(subject.certificate) / YEAR_DAYS > most + 0.01;
      return sayIf(isLong, `The certificate is valid for more than ${most} years.`);
    },
  },
  {
    name: "ca-key-length",
    source: "practice statement §6.1.5",
    severity: "warning",
    find: (subject) => {
      const { bits } = subject.certificate.key.publicKey;
      const isShort = !isResponder(subject) && bits < USUAL_BITS;
      return sayIf(isShort, `The key has ${bits} bits. The portal's own CAs have ${USUAL_BITS}.`);
    },
  },
  {
    name: "hash-of-issuer",
    source: PROFILE_SECTION,
    severity: "warning",
    find: ({ description: { signatureAlgorithm }, issuer }) =>
      issuer && issuer.signatureAlgorithm !== signatureAlgorithm
        ? [
            `The issuer's own certificate is signed with ${issuer.signatureAlgorithm}, this one with ${signatureAlgorithm}.`,
          ]
        : [],
  },
];

/** Every rule about the certificates of CAs and of OCSP responders. */
export const CA_LINTS: readonly Lint<CaCertificate>[] = [...ERRORS, ...WARNINGS, ...LIMIT_WARNINGS];

function readExisting(der: Uint8Array): ExistingCertificate {
  const { notBefore, subject } = parseCertificate(der);
  const keyIdentifier = Buffer.from(readIssuer(der).keyIdentifier).toString("hex");
  return { notBefore, subjectDer: subject.der, pathLength: describeCertificate(der).pathLength, keyIdentifier };
}

/** What the certificate of a CA or a responder is for. */
export interface CaLintContext {
  kind: CaCertificateKind;
  /** DER of the CA that signs. Null for a root. */
  issuer: Uint8Array | null;
  /** DER of the certificate that a cross-certificate stands beside. */
  existing: Uint8Array | null;
  hasUnknownKey: boolean;
}

/**
 * Applies all lints to the certificate of a CA or of an OCSP responder. Its signature is not looked at, so it can be checked before it is
 * signed. Throws a CaError `malformed`.
 */
export function lintCaCertificate(der: Uint8Array, context: CaLintContext): LintFinding[] {
  const certificate = parseCertificate(der);
  return runLints(CA_LINTS, {
    certificate,
    description: describeCertificate(der, certificate),
    issuer: context.issuer && lintedIssuer(context.issuer),
    limits: limitsOf(certificate),
    kind: context.kind,
    existing: context.existing && readExisting(context.existing),
    hasUnknownKey: context.hasUnknownKey,
  });
}
