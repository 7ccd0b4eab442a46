import * as asn1js from "asn1js";
import { type CertificateDescription, describeCertificate } from "../certificate/describe.server";
import { readIssuer } from "../certificate/issuer.server";
import { parseCertificate, type ParsedCertificate } from "../certificate/parse.server";
import { membersOf, parseDer, splitDer } from "../der.server";
import { memoizeByBytes } from "../memoize-by-bytes.server";
import { checkNameLimits, type IssuerLimits, limitsOf } from "../names/issuer-limits.server";
import { OID } from "../oids.server";
import { keyIdentifierOf } from "../x509/public-key.server";
import { type Lint, PROFILE_SECTION, sayIf } from "./lint.server";

/** What lints need of the CA that signs. */
export interface LintedIssuer {
  subjectDer: Uint8Array;
  /** Lower-case hex. */
  keyIdentifier: string;
  notBefore: Date;
  notAfter: Date;
  pathLength: number | null;
  signatureAlgorithm: string;
  limits: IssuerLimits;
}

/** A certificate, signed or not, with the CA that signs it. */
export interface LintedCertificate {
  certificate: ParsedCertificate;
  description: CertificateDescription;
  /** Null for a root, which signs itself. */
  issuer: LintedIssuer | null;
}

/** Reads what lints need of a CA certificate. Results are cached. Throws a CaError `malformed`. */
export const lintedIssuer: (certificateDer: Uint8Array) => LintedIssuer = memoizeByBytes(32, (der) => {
  const certificate = parseCertificate(der);
  const { subject, notBefore, notAfter } = certificate;
  const limits = limitsOf(certificate);
  const { pathLength, signatureAlgorithm } = describeCertificate(der);
  const keyIdentifier = Buffer.from(readIssuer(der).keyIdentifier).toString("hex");
  return { subjectDer: subject.der, keyIdentifier, notBefore, notAfter, pathLength, signatureAlgorithm, limits };
});

/** Returns whether two byte strings are equal. */
export const hasSameBytes = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** Returns the key identifier that is calculated from the certificate's own key, in lower-case hex. */
export const ownKeyIdentifier = ({ key }: ParsedCertificate): string =>
  Buffer.from(keyIdentifierOf(key.spkiDer)).toString("hex");

const LONGEST_SERIAL_OCTETS = 20;
const FEWEST_SERIAL_BITS = 64n;

/** Returns the octets of a positive INTEGER: one more when its top bit is set. */
const octetsOf = (value: bigint) => Math.floor(value.toString(2).length / 8) + 1;

export const SERIAL_LINTS: readonly Lint<LintedCertificate>[] = [
  {
    name: "serial-positive",
    source: "RFC 5280 §4.1.2.2",
    severity: "error",
    find: ({ certificate: { serialNumber } }) => sayIf(serialNumber <= 0n, "The serial number must be positive."),
  },
  {
    name: "serial-length",
    source: "RFC 5280 §4.1.2.2",
    severity: "error",
    find: ({ certificate: { serialNumber } }) =>
      sayIf(
        serialNumber > 0n && octetsOf(serialNumber) > LONGEST_SERIAL_OCTETS,
        "The serial number must have at most 20 octets.",
      ),
  },
  {
    name: "serial-random",
    source: "CA/B Forum TLS BR §7.1",
    severity: "error",
    find: ({ certificate: { serialNumber } }) =>
      sayIf(
        serialNumber > 0n && serialNumber < 1n << FEWEST_SERIAL_BITS,
        "The serial number must come from at least 64 random bits.",
      ),
  },
];

const NAMES = Object.fromEntries(Object.entries(OID).map(([name, oid]) => [oid, name]));
const nameOf = (oid: string) => NAMES[oid] ?? oid;

/** Returns whether an attribute may have a value of this type. An email address is an IA5String (RFC 5280 appendix A.1). */
const isText = (oid: string, value: unknown) =>
  oid === OID.emailAddress
    ? value instanceof asn1js.IA5String
    : value instanceof asn1js.PrintableString || value instanceof asn1js.Utf8String;

/** Cached, because the certificates of a company share most parts of their names. */
const wrongStringsIn = memoizeByBytes(500, (der): string[] => {
  const rdn = parseDer(der);
  if (!(rdn instanceof asn1js.Set) || rdn.valueBlock.value.length !== 1)
    return ["The subject must have one attribute in each part of the name."];
  const [type, value] = membersOf(rdn.valueBlock.value[0]);
  const oid = type instanceof asn1js.ObjectIdentifier ? type.getValue() : "";
  const types = oid === OID.emailAddress ? "an IA5String" : "a PrintableString or a UTF8String";
  return sayIf(!isText(oid, value), `The attribute ${nameOf(oid)} must be ${types}.`);
});

export const SUBJECT_STRINGS: Lint<LintedCertificate> = {
  name: "subject-strings",
  source: "RFC 5280 §4.1.2.4",
  severity: "error",
  find: ({ certificate }) => splitDer(certificate.subject.der).flatMap(wrongStringsIn),
};

export const ISSUER_NAME: Lint<LintedCertificate> = {
  name: "issuer-name",
  source: "RFC 5280 §4.1.2.4",
  severity: "error",
  find: ({ certificate, issuer }) =>
    sayIf(
      !hasSameBytes(certificate.issuer.der, issuer?.subjectDer ?? certificate.subject.der),
      "The issuer must be the subject of the CA that signs, byte for byte.",
    ),
};

export const VALIDITY_LINTS: readonly Lint<LintedCertificate>[] = [
  {
    name: "validity-order",
    source: "RFC 5280 §4.1.2.5",
    severity: "error",
    find: ({ certificate: { notBefore, notAfter } }) =>
      sayIf(notAfter <= notBefore, "The certificate must end after it begins."),
  },
  {
    name: "validity-within-issuer",
    source: PROFILE_SECTION,
    severity: "error",
    find: ({ certificate: { notAfter }, issuer }) =>
      issuer && notAfter > issuer.notAfter
        ? [`The certificate must not end after its issuer, which ends ${issuer.notAfter.toISOString().slice(0, 10)}.`]
        : [],
  },
];

export const ISSUER_NAMES: Lint<LintedCertificate> = {
  name: "issuer-names",
  source: "RFC 5280 §4.2.1.10",
  severity: "error",
  find: ({ certificate: { subject }, description: { subjectAlternateName: names }, issuer }) =>
    issuer
      ? checkNameLimits(issuer.limits, { subject: subject.attributes, names }).map(({ sentence }) => sentence)
      : [],
};

export const SIGNATURE_ALGORITHM: Lint<LintedCertificate> = {
  name: "signature-algorithm",
  source: "RFC 8017 §8.2",
  severity: "error",
  find: ({ description }) =>
    sayIf(
      !/^sha(256|512)WithRSAEncryption$/.test(description.signatureAlgorithm),
      "The signature must be RSA with SHA-256 or SHA-512.",
    ),
};

export const AUTHORITY_KEY: Lint<LintedCertificate> = {
  name: "authority-key-identifier",
  source: "RFC 5280 §4.2.1.1",
  severity: "error",
  find: ({ certificate, description, issuer }) =>
    sayIf(
      description.authorityKeyIdentifier !== (issuer?.keyIdentifier ?? ownKeyIdentifier(certificate)),
      "The authority key identifier is not that of the issuer's key.",
    ),
};

const isPlainHttp = (url: string) => /^http:\/\/[!-~]+$/.test(url) && URL.canParse(url);

export const ADDRESSES: Lint<LintedCertificate> = {
  name: "plain-http-addresses",
  source: "RFC 5280 §8",
  severity: "error",
  find: ({ description: { crlUrls, freshestCrlUrls, ocspUrls, caIssuersUrls } }) =>
    sayIf(
      ![...crlUrls, ...freshestCrlUrls, ...ocspUrls, ...caIssuersUrls].every(isPlainHttp),
      "CRL and issuer addresses must begin with http://.",
    ),
};

/** Says for each extension whether it must be critical. One that may be missing is marked with a question mark. */
export type ExtensionRules = Readonly<Record<string, "critical" | "critical?" | "plain" | "plain?">>;

/** Returns a sentence for each extension that is missing, repeated, unexpected, or critical by mistake (RFC 5280 §4.2). */
export function wrongExtensions({ extensions }: ParsedCertificate, expected: ExtensionRules): string[] {
  const errors = Object.entries(expected)
    .filter(([oid, rule]) => !rule.endsWith("?") && extensions.every((extension) => extension.oid !== oid))
    .map(([oid]) => `The extension ${nameOf(oid)} is missing.`);
  const seen = new Set<string>();
  for (const { oid, critical } of extensions) {
    const rule = expected[oid];
    if (seen.has(oid)) errors.push(`The extension ${nameOf(oid)} is there twice.`);
    else if (!rule) errors.push(`The extension ${nameOf(oid)} does not belong in this certificate.`);
    else if (critical !== rule.startsWith("critical"))
      errors.push(`The extension ${nameOf(oid)} must ${critical ? "not be" : "be"} critical.`);
    seen.add(oid);
  }
  return errors;
}
