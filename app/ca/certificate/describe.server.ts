import {
  members,
  readElement,
  readElements,
  readNamedBits,
  readObjectIdentifier,
  readUnsigned,
} from "../asn1/read.server";
import { OID } from "../asn1/oids.server";
import { contextConstructedTag, contextTag, TAG } from "../asn1/tags.server";
import { latin1 } from "../asn1/text.server";
import { CaError } from "../errors.server";
import { sha256Hex, thumbprint } from "../thumbprint.server";
import { readSignatureAlgorithm } from "../x509/algorithms.server";
import { type AlternateName, readGeneralNames } from "../x509/general-names.server";
import { formatName, readName, type SubjectFields, toSubjectFields } from "../x509/name.server";
import { readPublicKey } from "../x509/public-key.server";
import { extendedKeyUsageName, keyUsageNames } from "../x509/usage-names.server";
import { serialHex } from "./encode.server";
import { parseCertificate } from "./parse.server";

/** What a certificate says, for people and for comparison (B §2 certificate details). */
export interface CertificateDescription {
  /** Upper-case hex. */
  serialNumber: string;
  /** ISO 8601, UTC. */
  startDate: string;
  endDate: string;
  formatVersion: number;
  /** SHA-1 and SHA-256 of the DER, upper-case hex. */
  thumbprint: string;
  thumbprintSha256: string;
  keyUsage: string[];
  enhancedKeyUsage: string[];
  keyAlgorithm: "RSA" | "EC" | "other";
  /** Bits of the modulus or the field. */
  keySize: number;
  /** E.g. `sha256WithRSAEncryption`. */
  signatureAlgorithm: string;
  /** After RFC 4514. */
  issuerName: string;
  subjectName: string;
  subject: SubjectFields;
  subjectAlternateName: AlternateName[];
  /** Lower-case hex, equal to the CSR's. */
  spkiSha256: string;
  subjectKeyIdentifier: string | null;
  authorityKeyIdentifier: string | null;
  isCa: boolean;
  pathLength: number | null;
  policies: { oid: string; cpsUri?: string }[];
  crlUrls: string[];
  freshestCrlUrls: string[];
  ocspUrls: string[];
  caIssuersUrls: string[];
}

/** Reads a DER certificate (RFC 5280 §4.1). Throws CaError `malformed` for anything else. */
export function describeCertificate(der: Uint8Array): CertificateDescription {
  try {
    return describe(der);
  } catch {
    throw new CaError("malformed", "The bytes are not a DER certificate.");
  }
}

function describe(der: Uint8Array): CertificateDescription {
  const certificate = parseCertificate(der);
  const extensions = new Map(certificate.extensions.map(({ oid, value }) => [oid, value]));
  const subject = readName(certificate.subject);
  const { publicKey, spkiDer } = readPublicKey(certificate.spki.der);
  const read = <T>(oid: string, reader: (value: Uint8Array) => T, absent: T): T => {
    const value = extensions.get(oid);
    return value ? reader(value) : absent;
  };
  const constraints = read(OID.basicConstraints, readBasicConstraints, { isCa: false, pathLength: null });
  return {
    serialNumber: serialHex(certificate.serial),
    startDate: certificate.notBefore.toISOString(),
    endDate: certificate.notAfter.toISOString(),
    formatVersion: certificate.version,
    thumbprint: thumbprint(der, "sha1"),
    thumbprintSha256: thumbprint(der, "sha256"),
    keyUsage: read(OID.keyUsage, (value) => keyUsageNames(readNamedBits(readElement(value))), []),
    enhancedKeyUsage: read(OID.extKeyUsage, readKeyPurposes, []),
    keyAlgorithm: publicKey.algorithm,
    keySize: publicKey.bits,
    signatureAlgorithm: readSignatureAlgorithm(certificate.signatureAlgorithm).name,
    issuerName: formatName(readName(certificate.issuer)),
    subjectName: formatName(subject),
    subject: toSubjectFields(subject),
    subjectAlternateName: read(OID.subjectAltName, (value) => readGeneralNames(readElement(value).content), []),
    spkiSha256: sha256Hex(spkiDer),
    subjectKeyIdentifier: read(OID.subjectKeyIdentifier, (value) => hex(readElement(value).content), null),
    authorityKeyIdentifier: read(OID.authorityKeyIdentifier, readAuthorityKey, null),
    ...constraints,
    policies: read(OID.certificatePolicies, readPolicies, []),
    crlUrls: read(OID.cRLDistributionPoints, readDistributionPoints, []),
    freshestCrlUrls: read(OID.freshestCRL, readDistributionPoints, []),
    ocspUrls: read(OID.authorityInfoAccess, (value) => readAccess(value, OID.accessMethodOcsp), []),
    caIssuersUrls: read(OID.authorityInfoAccess, (value) => readAccess(value, OID.accessMethodCaIssuers), []),
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function readBasicConstraints(value: Uint8Array): { isCa: boolean; pathLength: number | null } {
  const parts = members(readElement(value));
  const limit = parts.find(({ tag }) => tag === TAG.integer);
  return {
    isCa: parts[0]?.tag === TAG.boolean && parts[0].content[0] === 0xff,
    pathLength: limit ? Number(readUnsigned(limit)) : null,
  };
}

const readKeyPurposes = (value: Uint8Array): string[] =>
  members(readElement(value)).map((purpose) => extendedKeyUsageName(readObjectIdentifier(purpose)));

function readAuthorityKey(value: Uint8Array): string | null {
  const identifier = members(readElement(value)).find(({ tag }) => tag === contextTag(0));
  return identifier ? hex(identifier.content) : null;
}

function readPolicies(value: Uint8Array): { oid: string; cpsUri?: string }[] {
  return members(readElement(value)).map((information) => {
    const [id, qualifiers] = members(information);
    const cps = (qualifiers ? members(qualifiers) : [])
      .map((qualifier) => members(qualifier))
      .find(([kind]) => readObjectIdentifier(kind) === OID.qualifierCps)?.[1];
    return { oid: readObjectIdentifier(id), ...(cps && { cpsUri: latin1(cps.content) }) };
  });
}

const uri = ({ content }: { content: Uint8Array }): string => latin1(content);

/** The URIs in the fullName of every DistributionPoint. */
function readDistributionPoints(value: Uint8Array): string[] {
  return members(readElement(value)).flatMap((point) =>
    members(point)
      .filter(({ tag }) => tag === contextConstructedTag(0))
      .flatMap(({ content }) => readElements(content))
      .filter(({ tag }) => tag === contextConstructedTag(0))
      .flatMap(({ content }) => readElements(content))
      .filter(({ tag }) => tag === contextTag(6))
      .map(uri),
  );
}

function readAccess(value: Uint8Array, method: string): string[] {
  return members(readElement(value))
    .map((description) => members(description))
    .filter(([id, location]) => readObjectIdentifier(id) === method && location?.tag === contextTag(6))
    .flatMap(([, location]) => (location ? [uri(location)] : []));
}
