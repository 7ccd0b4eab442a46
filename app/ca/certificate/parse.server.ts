import {
  type DerElement,
  expectTag,
  members,
  readBitString,
  readElement,
  readObjectIdentifier,
  readTime,
  readUnsigned,
} from "../asn1/read.server";
import { contextConstructedTag, TAG } from "../asn1/tags.server";
import { CaError } from "../errors.server";

/** The members of an X.509 v3 certificate (RFC 5280 §4.1), not interpreted further. */
export interface ParsedCertificate {
  tbs: Uint8Array;
  version: number;
  serial: bigint;
  signatureAlgorithm: DerElement;
  signature: Uint8Array;
  issuer: DerElement;
  notBefore: Date;
  notAfter: Date;
  subject: DerElement;
  spki: DerElement;
  extensions: Extension[];
}

export interface Extension {
  oid: string;
  critical: boolean;
  /** The DER inside the OCTET STRING. */
  value: Uint8Array;
}

/** Takes a certificate apart. Throws CaError `malformed`, also when the two signature algorithms differ (RFC 5280 §4.1.1.2). */
export function parseCertificate(der: Uint8Array): ParsedCertificate {
  const certificate = readElement(der);
  if (certificate.der.length !== der.length) throw new CaError("malformed", "Bytes follow the certificate.");
  const [tbs, outerAlgorithm, signature] = members(certificate);
  const [version, serial, algorithm, issuer, validity, subject, spki, ...optional] = members(tbs);
  const [notBefore, notAfter] = members(validity);
  const extensions = optional.find(({ tag }) => tag === contextConstructedTag(3));
  if (!tbs || !outerAlgorithm || !algorithm || Buffer.compare(outerAlgorithm.der, algorithm.der) !== 0) {
    throw new CaError("malformed", "The signature algorithms of the certificate differ.");
  }
  return {
    tbs: tbs.der,
    version: Number(readUnsigned(members(version, contextConstructedTag(0))[0])) + 1,
    serial: readUnsigned(serial),
    signatureAlgorithm: algorithm,
    signature: readBitString(signature),
    issuer: expectTag(issuer, TAG.sequence),
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    subject: expectTag(subject, TAG.sequence),
    spki: expectTag(spki, TAG.sequence),
    extensions: extensions ? readExtensions(members(extensions, contextConstructedTag(3))[0]) : [],
  };
}

/** Members of an Extensions SEQUENCE (RFC 5280 §4.1.2.9), of certificates and lists alike. */
export function readExtensions(extensions: DerElement | undefined): Extension[] {
  return members(extensions).map((extension) => {
    const [id, ...rest] = members(extension);
    return {
      oid: readObjectIdentifier(id),
      critical: rest.length === 2 && rest[0]?.tag === TAG.boolean && rest[0].content[0] === 0xff,
      value: expectTag(rest.at(-1), TAG.octetString).content,
    };
  });
}
