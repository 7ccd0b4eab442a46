import * as asn1js from "asn1js";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { parseCertificate, type ParsedCertificate, type ParsedName } from "~/ca/certificate/parse.server";
import { checkKey } from "~/ca/csr/check-key.server";
import { checkSubject } from "~/ca/csr/check-subject.server";
import { membersOf, parseDer } from "~/ca/der.server";
import { OID } from "~/ca/oids.server";
import { readSignatureAlgorithm } from "~/ca/x509/algorithms.server";
import { keyIdentifierOf } from "~/ca/x509/public-key.server";
import { DAY } from "~/lib/dates";
import { type CeremonyCertificateKind } from "./transfer-file.server";

/** What the rules found: `errors` stop the ceremony, `notices` are for people to decide. Each is a whole sentence. */
export interface Findings {
  errors: string[];
  notices: string[];
}

/** What a certificate is for. */
export interface LintContext {
  kind: CeremonyCertificateKind;
  /** The certificate of the CA that signs. Null for a root. */
  issuer: Uint8Array | null;
  /** The certificate that a cross-certificate stands beside. */
  existing: Uint8Array | null;
  /** Whether the key stands in for one that is not made yet. Then its numbers say nothing. */
  hasUnknownKey: boolean;
}

/** The extensions of each kind, and whether they are critical (RFC 5280 §4.2). An optional one is marked with a question mark. */
const CA = {
  [OID.basicConstraints]: "critical",
  [OID.keyUsage]: "critical",
  [OID.subjectKeyIdentifier]: "plain",
  [OID.authorityKeyIdentifier]: "plain",
};
const BELOW = { ...CA, [OID.cRLDistributionPoints]: "plain", [OID.authorityInfoAccess]: "plain" };
const EXTENSIONS: Record<CeremonyCertificateKind, Record<string, string>> = {
  root: CA,
  issuing: { ...BELOW, [OID.certificatePolicies]: "plain" },
  "cross-certificate": { ...BELOW, [OID.certificatePolicies]: "plain?" },
  "ocsp-responder": { ...CA, [OID.extKeyUsage]: "plain", [OID.ocspNoCheck]: "plain" },
};
const NAMES = Object.fromEntries(Object.entries(OID).map(([name, oid]) => [oid, name]));
const nameOf = (oid: string) => NAMES[oid] ?? oid;

const LONGEST_SERIAL_OCTETS = 20;
const FEWEST_SERIAL_BITS = 64;
/** A responder has no revocation, so its life must be short. */
const RESPONDER_DAYS = 100;
const ROOT_YEARS = 25;
const ISSUING_YEARS = 10;

const equal = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

/** Returns the octets of a positive INTEGER: one more when its top bit is set. */
const octetsOf = (value: bigint) => Math.floor(value.toString(2).length / 8) + 1;

function extensionErrors({ extensions }: ParsedCertificate, kind: CeremonyCertificateKind): string[] {
  const expected = EXTENSIONS[kind];
  const errors = Object.entries(expected)
    .filter(([oid, rule]) => !rule.endsWith("?") && extensions.every((extension) => extension.oid !== oid))
    .map(([oid]) => `The extension ${nameOf(oid)} is missing.`);
  const seen = new Set<string>();
  for (const { oid, critical } of extensions) {
    const rule = expected[oid];
    if (seen.has(oid)) errors.push(`The extension ${nameOf(oid)} is there twice.`);
    else if (!rule) errors.push(`The extension ${nameOf(oid)} does not belong into this certificate.`);
    else if (critical !== (rule === "critical"))
      errors.push(`The extension ${nameOf(oid)} must ${critical ? "not be" : "be"} critical.`);
    seen.add(oid);
  }
  return errors;
}

/** Returns a sentence for each attribute that is neither a PrintableString nor a UTF8String (RFC 5280 §4.1.2.4). */
function stringErrors({ der }: ParsedName): string[] {
  return membersOf(parseDer(der)).flatMap((rdn) => {
    if (!(rdn instanceof asn1js.Set) || rdn.valueBlock.value.length !== 1)
      return ["The subject must have one attribute in each part of the name."];
    const [type, value] = membersOf(rdn.valueBlock.value[0]);
    const isText = value instanceof asn1js.PrintableString || value instanceof asn1js.Utf8String;
    const oid = type instanceof asn1js.ObjectIdentifier ? type.getValue() : "";
    return isText ? [] : [`The attribute ${nameOf(oid)} must be a PrintableString or a UTF8String.`];
  });
}

/** Returns a sentence for each wrong value of the subject. */
function subjectErrors(subject: ParsedName): string[] {
  const country = subject.attributes.find(({ oid }) => oid === OID.countryName)?.value ?? "";
  const countryCodes = new Set(/^[A-Z]{2}$/.test(country) ? [country] : []);
  const refused = checkSubject(subject.attributes, countryCodes).map(({ message }) =>
    message.replace(/ Create .*$/, ""),
  );
  return [...refused, ...stringErrors(subject)];
}

function serialErrors(serial: bigint): string[] {
  if (serial <= 0n) return ["The serial number must be positive."];
  return [
    ...(octetsOf(serial) > LONGEST_SERIAL_OCTETS ? ["The serial number must have at most 20 octets."] : []),
    ...(serial < 1n << BigInt(FEWEST_SERIAL_BITS) ? ["The serial number must come from at least 64 random bits."] : []),
  ];
}

const years = (start: Date, end: Date) => (end.getTime() - start.getTime()) / (365.2425 * DAY);

function lifeErrors({ notBefore, notAfter }: ParsedCertificate, { issuer, existing }: LintContext): string[] {
  const above = issuer && parseCertificate(issuer);
  const beside = existing && parseCertificate(existing);
  return [
    ...(notAfter <= notBefore ? ["The certificate must end after it begins."] : []),
    ...(above && notBefore < above.notBefore ? ["The certificate must not begin before its issuer."] : []),
    ...(above && notAfter > above.notAfter
      ? [`The certificate must not end after its issuer, which ends ${above.notAfter.toISOString().slice(0, 10)}.`]
      : []),
    ...(beside && notBefore < beside.notBefore
      ? ["A cross-certificate must not begin before the certificate that exists."]
      : []),
  ];
}

/** Returns the usages that each kind must have, exactly. */
const USAGES = { ca: ["keyCertSign", "cRLSign"], responder: ["digitalSignature"] };

const isPlainHttp = (url: string) => /^http:\/\/[!-~]+$/.test(url) && URL.canParse(url);

function contentErrors(der: Uint8Array, certificate: ParsedCertificate, context: LintContext): string[] {
  const description = describeCertificate(der, certificate);
  const { kind, issuer, existing } = context;
  const isResponder = kind === "ocsp-responder";
  const usages = isResponder ? USAGES.responder : USAGES.ca;
  const wrong = (isWrong: boolean, sentence: string) => (isWrong ? [sentence] : []);
  const { isCa, pathLength, keyUsage, enhancedKeyUsage, crlUrls, caIssuersUrls } = description;
  const own = Buffer.from(keyIdentifierOf(certificate.key.spkiDer)).toString("hex");
  const subjectKey = existing ? Buffer.from(readIssuer(existing).keyIdentifier).toString("hex") : own;
  const issuerKey = issuer ? Buffer.from(readIssuer(issuer).keyIdentifier).toString("hex") : own;
  const limit = existing && describeCertificate(existing).pathLength;
  return [
    ...wrong(
      !/^sha(256|512)WithRSAEncryption$/.test(description.signatureAlgorithm),
      "The signature must be RSA with SHA-256 or SHA-512.",
    ),
    ...wrong(
      isCa === isResponder,
      isResponder ? "A responder must not be a CA." : "The certificate must be that of a CA.",
    ),
    ...wrong(kind === "root" && pathLength !== null, "A root must have no path length."),
    ...wrong(kind === "issuing" && pathLength !== 0, "An issuing CA must have the path length 0."),
    ...wrong(
      typeof limit === "number" && (pathLength === null || pathLength > limit),
      `The path length must not be above ${limit}, that of the certificate that exists.`,
    ),
    ...wrong(String(keyUsage) !== String(usages), `The key usage must be exactly ${usages.join(" and ")}.`),
    ...wrong(
      isResponder && String(enhancedKeyUsage) !== "OCSPSigning",
      "The extended key usage must be exactly OCSPSigning.",
    ),
    ...wrong(description.subjectKeyIdentifier !== subjectKey, "The subject key identifier is not that of the key."),
    ...wrong(
      description.authorityKeyIdentifier !== issuerKey,
      "The authority key identifier is not that of the issuer's key.",
    ),
    ...wrong(![...crlUrls, ...caIssuersUrls].every(isPlainHttp), "CRL and issuer addresses must begin with http://."),
  ];
}

function issuerErrors(certificate: ParsedCertificate, { kind, issuer, existing }: LintContext): string[] {
  const above = issuer && parseCertificate(issuer);
  const expected = above?.subject.der ?? certificate.subject.der;
  const limit = issuer && describeCertificate(issuer).pathLength;
  const isSelf =
    existing !== null && above !== null && equal(above.subject.der, parseCertificate(existing).subject.der);
  return [
    ...(equal(certificate.issuer.der, expected)
      ? []
      : ["The issuer must be the subject of the CA that signs, byte for byte."]),
    ...(limit === 0 && kind !== "ocsp-responder" ? ["The issuer has the path length 0, so it must not sign CAs."] : []),
    ...(isSelf ? ["A cross-certificate must be signed by another CA than the one that it is for."] : []),
  ];
}

function noticesOf(certificate: ParsedCertificate, { kind, issuer }: LintContext): string[] {
  const { notBefore, notAfter, key } = certificate;
  const life = years(notBefore, notAfter);
  const most = kind === "root" ? ROOT_YEARS : ISSUING_YEARS;
  const above = issuer && describeCertificate(issuer).signatureAlgorithm;
  const isOtherHash = above && above !== describeSignature(certificate);
  return [
    ...(kind === "ocsp-responder" && life * 365.2425 > RESPONDER_DAYS
      ? [`A responder cannot be revoked, and this one is valid for more than ${RESPONDER_DAYS} days.`]
      : []),
    ...(kind !== "ocsp-responder" && life > most + 0.01
      ? [`The certificate is valid for more than ${most} years.`]
      : []),
    ...(kind !== "ocsp-responder" && key.publicKey.bits < 4096
      ? [`The key has ${key.publicKey.bits} bits. The portal's own CAs have 4096.`]
      : []),
    ...(isOtherHash
      ? [`The issuer's own certificate is signed with ${above}, this one with ${describeSignature(certificate)}.`]
      : []),
  ];
}

const describeSignature = ({ signatureAlgorithm }: ParsedCertificate) =>
  readSignatureAlgorithm(signatureAlgorithm).name;

/**
 * Checks a certificate of a ceremony against RFC 5280 and the profile of the portal's CAs. Its signature is not looked at, so it can be
 * checked before it is signed.
 */
export function lintCertificate(der: Uint8Array, context: LintContext): Findings {
  const certificate = parseCertificate(der);
  const { publicKey } = certificate.key;
  const keyErrors = context.hasUnknownKey
    ? []
    : checkKey(publicKey, { keyAlgorithms: ["RSA"] }).map(({ message }) => message);
  const errors = [
    ...serialErrors(certificate.serialNumber),
    ...subjectErrors(certificate.subject),
    ...issuerErrors(certificate, context),
    ...lifeErrors(certificate, context),
    ...keyErrors,
    ...extensionErrors(certificate, context.kind),
    ...contentErrors(der, certificate, context),
  ];
  return { errors, notices: noticesOf(certificate, context) };
}
