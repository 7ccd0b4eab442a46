import { describeCertificate } from "~/ca/certificate/describe.server";
import { parseCertificate, type ParsedCertificate } from "~/ca/certificate/parse.server";
import { describeCrl, listRevocations } from "~/ca/crl/describe.server";
import { parseCrl } from "~/ca/crl/parse.server";
import { limitsOf, limitTexts } from "~/ca/names/issuer-limits.server";
import { OID } from "~/ca/oids.server";
import { sha256Hex } from "~/ca/thumbprint.server";
import { readSignatureAlgorithm } from "~/ca/x509/algorithms.server";
import { REASONS } from "./plan-schema.server";

/** A name and a value of a certificate or a CRL, in words for people. */
export type Fact = readonly [name: string, value: string];

/** The parts that stand in for values which are not made yet. */
export interface Unknown {
  serial?: boolean;
  subjectKey?: boolean;
  issuerKey?: boolean;
}

/** Returns hex digits in groups of four, which people can compare. */
export const grouped = (hex: string): string => hex.toLowerCase().replace(/(.{4})(?=.)/g, "$1 ");

/** Formats a time as `2027-01-12 10:00:00 UTC`. */
export const utc = (date: Date): string => `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;

const NOT_YET = "made in this ceremony, before it is signed";
const OF_NEW_KEY = "that of the key that this ceremony makes";

/** The extensions that `contentsOfCertificate` names by words. */
const TITLES: Partial<Record<string, string>> = {
  [OID.basicConstraints]: "Basic constraints",
  [OID.keyUsage]: "Key usage",
  [OID.extKeyUsage]: "Extended key usage",
  [OID.nameConstraints]: "Name constraints",
  [OID.certificatePolicies]: "Certificate policy",
  [OID.cRLDistributionPoints]: "CRL",
  [OID.authorityInfoAccess]: "Issuer's certificate",
  [OID.subjectKeyIdentifier]: "Subject key identifier",
  [OID.authorityKeyIdentifier]: "Authority key identifier",
  [OID.ocspNoCheck]: "OCSP no check",
};

function extensionFacts(der: Uint8Array, certificate: ParsedCertificate, unknown: Unknown): Fact[] {
  const description = describeCertificate(der, certificate);
  const { isCa, pathLength, policies } = description;
  const limit = pathLength === null ? "no path length" : `path length ${pathLength}`;
  const values: Partial<Record<string, string>> = {
    [OID.basicConstraints]: isCa ? `CA, ${limit}` : "no CA",
    [OID.keyUsage]: description.keyUsage.join(", "),
    [OID.extKeyUsage]: description.enhancedKeyUsage.join(", "),
    [OID.certificatePolicies]: policies.map(({ oid, cpsUri }) => (cpsUri ? `${oid}, ${cpsUri}` : oid)).join("; "),
    [OID.cRLDistributionPoints]: description.crlUrls.join(", "),
    [OID.authorityInfoAccess]: [...description.caIssuersUrls, ...description.ocspUrls].join(", "),
    [OID.subjectKeyIdentifier]: unknown.subjectKey ? OF_NEW_KEY : grouped(description.subjectKeyIdentifier ?? ""),
    [OID.authorityKeyIdentifier]: unknown.issuerKey ? OF_NEW_KEY : grouped(description.authorityKeyIdentifier ?? ""),
    [OID.ocspNoCheck]: "present",
  };
  return certificate.extensions.flatMap(({ oid, critical, value }): Fact[] => {
    const shown =
      oid === OID.nameConstraints
        ? limitTexts({ ...limitsOf(certificate), purposes: [] })
        : [values[oid] ?? Buffer.from(value).toString("hex")];
    return shown.map((text) => [TITLES[oid] ?? `Extension ${oid}`, critical ? `critical; ${text}` : text]);
  });
}

/**
 * Returns all that a certificate says, in the order of its encoding.
 *
 * @param der The certificate. Its signature is not looked at.
 * @param unknown The values that stand in for others.
 */
export function contentsOfCertificate(der: Uint8Array, unknown: Unknown = {}): Fact[] {
  const certificate = parseCertificate(der);
  const description = describeCertificate(der, certificate);
  const { publicKey } = certificate.key;
  const exponent = publicKey.algorithm === "RSA" ? `, exponent ${publicKey.exponent}` : "";
  return [
    ["Serial number", unknown.serial ? NOT_YET : grouped(description.serialNumber)],
    ["Signature", description.signatureAlgorithm],
    ["Issuer", description.issuerName],
    ["Valid from", utc(certificate.notBefore)],
    ["Valid until", utc(certificate.notAfter)],
    ["Subject", description.subjectName],
    ["Public key", `${publicKey.algorithm}, ${publicKey.bits} bits${exponent}`],
    ["Public key SHA-256", unknown.subjectKey ? NOT_YET : grouped(description.spkiSha256)],
    ...extensionFacts(der, certificate, unknown),
  ];
}

const reasonName = (reason: number) =>
  Object.entries(REASONS).find(([, code]) => code === reason)?.[0] ?? `reason ${reason}`;

/** Returns all that a CRL says, with a line for each entry. */
export function contentsOfCrl(der: Uint8Array, unknown: Unknown = {}): Fact[] {
  const { list } = parseCrl(der);
  const { number, thisUpdate, nextUpdate, issuerName, entryCount } = describeCrl(der);
  const extensions = list.crlExtensions?.extensions ?? [];
  const others = extensions.filter(({ extnID }) => extnID !== OID.cRLNumber && extnID !== OID.authorityKeyIdentifier);
  const authorityKey = extensions.find(({ extnID }) => extnID === OID.authorityKeyIdentifier);
  const keyIdentifier = Buffer.from(authorityKey?.extnValue.valueBlock.valueHexView ?? [])
    .subarray(4)
    .toString("hex");
  return [
    ["Signature", readSignatureAlgorithm(list.signatureAlgorithm).name],
    ["Issuer", issuerName],
    ["This update", utc(thisUpdate)],
    ["Next update", utc(nextUpdate)],
    ["Authority key identifier", unknown.issuerKey ? OF_NEW_KEY : grouped(keyIdentifier)],
    ["CRL number", String(number)],
    ...others.map(({ extnID }): Fact => [`Extension ${extnID}`, "present"]),
    ["Entries", String(entryCount)],
    ...listRevocations(der).map(({ serial, revocationDate, reason }, index): Fact => [
      `Entry ${index + 1}`,
      `${grouped(serial)}, revoked ${utc(revocationDate)}, ${reasonName(reason)}`,
    ]),
  ];
}

/** Returns the SHA-256 of signed bytes as people compare it. */
export const fingerprint = (der: Uint8Array): string => grouped(sha256Hex(der));
