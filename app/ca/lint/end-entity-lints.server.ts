import { NAME_CLASS_NAMES } from "~/lib/name-classes";
import { checkKeyForm } from "../csr/check-key.server";
import { checkNames } from "../csr/check-names.server";
import { checkSubject } from "../csr/check-subject.server";
import { checkPurposeLimits } from "../names/issuer-limits.server";
import { OID } from "../oids.server";
import {
  ADDRESSES,
  AUTHORITY_KEY,
  type ExtensionRules,
  ISSUER_NAME,
  ISSUER_NAMES,
  type LintedCertificate,
  ownKeyIdentifier,
  SERIAL_LINTS,
  SIGNATURE_ALGORITHM,
  SUBJECT_STRINGS,
  VALIDITY_LINTS,
  wrongExtensions,
} from "./common-lints.server";
import { CA_PURPOSES } from "./limit-lints.server";
import { type Lint, PROFILE_SECTION, sayIf } from "./lint.server";

const EXTENSIONS: ExtensionRules = {
  [OID.basicConstraints]: "critical",
  [OID.keyUsage]: "critical",
  [OID.extKeyUsage]: "plain?",
  [OID.subjectAltName]: "plain?",
  [OID.subjectKeyIdentifier]: "plain",
  [OID.authorityKeyIdentifier]: "plain",
  [OID.certificatePolicies]: "plain",
  [OID.cRLDistributionPoints]: "plain?",
  [OID.freshestCRL]: "plain?",
  [OID.authorityInfoAccess]: "plain?",
};

const KEYS = { keyAlgorithms: ["RSA", "EC"] } as const;
const OF_CAS = ["keyCertSign", "cRLSign"];
/** The usages of which each extended key usage needs at least one (RFC 5280 §4.2.1.12). */
const NEEDED = ["digitalSignature", "keyEncipherment", "keyAgreement"];
/** Keys shorter than 3072 bits are recommended until this year (NIST SP 800-57). */
const SHORT_KEYS_UNTIL = new Date("2031-01-01T00:00:00Z");
const LONG_KEY_BITS = 3072;

/** Returns messages about a CSR without what the applicant should do, which is no help when a certificate is checked. */
const withoutAdvice = (refusals: readonly { message: string }[]) =>
  refusals.map(({ message }) => message.replace(/ (Create|Use) .*$/, ""));

const ISSUER_PURPOSES: Lint<LintedCertificate> = {
  name: "issuer-purposes",
  source: "RFC 5280 §4.2.1.12",
  severity: "error",
  find: ({ description: { enhancedKeyUsage }, issuer }) =>
    issuer ? checkPurposeLimits(issuer.limits, enhancedKeyUsage).map(({ sentence }) => sentence) : [],
};

/** The names of the lints that compare a certificate with what its issuing CA may certify. */
export const LIMIT_LINTS: readonly string[] = [ISSUER_NAMES.name, ISSUER_PURPOSES.name];

const ERRORS: readonly Lint<LintedCertificate>[] = [
  ...SERIAL_LINTS,
  ISSUER_NAME,
  ...VALIDITY_LINTS,
  SIGNATURE_ALGORITHM,
  SUBJECT_STRINGS,
  {
    name: "subject-attributes",
    source: "RFC 5280 appendix A.1, practice statement §3.1.1",
    severity: "error",
    find: ({ certificate: { subject } }) => {
      const country = subject.attributes.find(({ oid }) => oid === OID.countryName)?.value ?? "";
      return withoutAdvice(checkSubject(subject.attributes, new Set(/^[A-Z]{2}$/.test(country) ? [country] : [])));
    },
  },
  {
    // Only their form: which hosts may be named is decided before (docs/decisions/0082) and depends on the portal's settings.
    name: "alternative-names",
    source: "RFC 5280 §4.2.1.6",
    severity: "error",
    find: ({ description: { subjectAlternateName, subject } }) =>
      withoutAdvice(
        checkNames(subjectAlternateName, { allowedNames: NAME_CLASS_NAMES, keptSsid: subject.deviceSerialNumber }),
      ),
  },
  ISSUER_NAMES,
  ISSUER_PURPOSES,
  {
    name: "public-key",
    source: "RFC 8017 §3.1, RFC 5480 §2, practice statement §6.1.5",
    severity: "error",
    find: ({ certificate: { key } }) => withoutAdvice(checkKeyForm(key.publicKey, KEYS)),
  },
  {
    name: "extensions",
    source: "RFC 5280 §4.2",
    severity: "error",
    find: ({ certificate }) => wrongExtensions(certificate, EXTENSIONS),
  },
  {
    name: "not-a-ca",
    source: "RFC 5280 §4.2.1.9",
    severity: "error",
    find: ({ description: { isCa, pathLength } }) =>
      sayIf(isCa || pathLength !== null, "The certificate must not be that of a CA."),
  },
  {
    name: "key-usage",
    source: "RFC 5280 §4.2.1.3",
    severity: "error",
    find: ({ description: { keyUsage } }) => [
      ...sayIf(keyUsage.length === 0, "The certificate must have a key usage."),
      ...sayIf(
        keyUsage.some((usage) => OF_CAS.includes(usage)),
        "Only a CA may have the key usages keyCertSign and cRLSign.",
      ),
    ],
  },
  {
    name: "key-usage-of-key",
    source: "RFC 3279 §2.3.1, RFC 8813 §3",
    severity: "error",
    find: ({ description: { keyUsage, keyAlgorithm } }) => [
      ...sayIf(
        keyAlgorithm === "RSA" && keyUsage.includes("keyAgreement"),
        "An RSA key must not have the usage keyAgreement.",
      ),
      ...sayIf(
        keyAlgorithm === "EC" && keyUsage.includes("keyEncipherment"),
        "An EC key must not have the usage keyEncipherment.",
      ),
    ],
  },
  {
    name: "extended-key-usage",
    source: "RFC 5280 §4.2.1.12, practice statement §6.1.7",
    severity: "error",
    find: ({ description: { enhancedKeyUsage, keyUsage } }) => [
      ...enhancedKeyUsage
        .filter((purpose) => !CA_PURPOSES.some((known) => known === purpose))
        .map((purpose) => `This CA does not certify the extended key usage ${purpose}.`),
      ...sayIf(
        enhancedKeyUsage.length > 0 && !keyUsage.some((usage) => NEEDED.includes(usage)),
        "The extended key usages need a key usage that allows them.",
      ),
    ],
  },
  {
    name: "subject-key-identifier",
    source: "RFC 5280 §4.2.1.2",
    severity: "error",
    find: ({ certificate, description }) =>
      sayIf(
        description.subjectKeyIdentifier !== ownKeyIdentifier(certificate),
        "The subject key identifier is not that of the key.",
      ),
  },
  AUTHORITY_KEY,
  {
    name: "one-policy",
    source: `RFC 5280 §4.2.1.4, ${PROFILE_SECTION}`,
    severity: "error",
    find: ({ description: { policies } }) =>
      sayIf(policies.length !== 1, "The certificate must name exactly one certificate policy."),
  },
  ADDRESSES,
];

const WARNINGS: readonly Lint<LintedCertificate>[] = [
  {
    name: "tls-and-email",
    source: "CA/B Forum S/MIME BR §7.1.2.3",
    severity: "warning",
    find: ({ description: { enhancedKeyUsage } }) =>
      sayIf(
        enhancedKeyUsage.includes("serverAuth") && enhancedKeyUsage.includes("emailProtection"),
        "The certificate is for TLS servers and for email. Some mail programs refuse such certificates.",
      ),
  },
  {
    name: "email-without-address",
    source: "RFC 8550 §3",
    severity: "warning",
    find: ({ description: { enhancedKeyUsage, subjectAlternateName } }) =>
      sayIf(
        enhancedKeyUsage.includes("emailProtection") && !subjectAlternateName.some(({ type }) => type === "rfc822"),
        "The certificate is for email, but no alternative name is an email address. Mail programs may refuse it.",
      ),
  },
  {
    name: "email-only-in-subject",
    source: "RFC 5280 §4.1.2.6",
    severity: "warning",
    find: ({ description: { subject, subjectAlternateName } }) =>
      sayIf(
        subject.email !== undefined &&
          !subjectAlternateName.some(
            ({ type, value }) => type === "rfc822" && value.toLowerCase() === subject.email?.toLowerCase(),
          ),
        "The email address in the subject is not among the alternative names, where programs look for it.",
      ),
  },
  {
    name: "signing-and-encryption",
    source: "RFC 5280 §4.2.1.3",
    severity: "warning",
    find: ({ description: { keyUsage } }) =>
      sayIf(
        keyUsage.includes("nonRepudiation") &&
          (keyUsage.includes("keyEncipherment") || keyUsage.includes("keyAgreement")),
        "The same key is for signing files and for encryption. Whoever keeps a copy of it to decrypt can also sign.",
      ),
  },
  {
    name: "short-key",
    source: "NIST SP 800-57 part 1 §5.6.3",
    severity: "warning",
    find: ({ description: { keyAlgorithm, keySize }, certificate: { notAfter } }) =>
      sayIf(
        keyAlgorithm === "RSA" && keySize < LONG_KEY_BITS && notAfter >= SHORT_KEYS_UNTIL,
        `The key has ${keySize} bits, and the certificate is valid after 2030, for which ${LONG_KEY_BITS} bits are recommended.`,
      ),
  },
];

/** Every rule about the certificates of customers. */
export const END_ENTITY_LINTS: readonly Lint<LintedCertificate>[] = [...ERRORS, ...WARNINGS];
