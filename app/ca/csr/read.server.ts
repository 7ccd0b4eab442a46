import { CaError } from "../errors.server";
import {
  type DerElement,
  expectTag,
  members,
  readBitString,
  readElement,
  readObjectIdentifier,
  readUnsigned,
} from "../asn1/read.server";
import { OID } from "../asn1/oids.server";
import { contextConstructedTag, TAG } from "../asn1/tags.server";
import { toPem } from "../pem.server";
import { sha256Hex } from "../thumbprint.server";
import { type AlternateName, readGeneralNames } from "../x509/general-names.server";
import { type NameAttribute, readName, type SubjectFields, toSubjectFields } from "../x509/name.server";
import { type PublicKeyInfo, readPublicKey } from "../x509/public-key.server";
import { type CsrReadFailure, failure, locateCsr } from "./input.server";
import { type CsrSignature, readCsrSignature } from "./signature.server";

/** A PKCS #10 CertificationRequest (RFC 2986) as read. Nothing in it is judged yet: see `checkCsr`. */
export interface Csr {
  der: Uint8Array;
  pem: string;
  /** SHA-256 of `der`, lower-case hex. */
  sha256: string;
  /** First value of each known attribute; `subjectAttributes` has them all, in order. */
  subject: SubjectFields;
  subjectAttributes: NameAttribute[];
  subjectAlternateName: AlternateName[];
  publicKey: PublicKeyInfo;
  /** Canonical SubjectPublicKeyInfo and its SHA-256, lower-case hex: the same for one key however it was written. */
  spkiDer: Uint8Array;
  spkiSha256: string;
  /** OFTP ID: the subject's serialNumber, else the `oftp://` alternative name (decisions §4). */
  ssid: string | null;
  signature: CsrSignature;
}

export type { CsrReadCode, CsrReadFailure } from "./input.server";

export type CsrReadResult = { ok: true; csr: Csr } | CsrReadFailure;

/**
 * Reads a CSR from pasted text or a file's bytes. Takes PEM (also `NEW CERTIFICATE REQUEST`) with text, BOM, blanks or CRLF around
 * it, bare base64, and DER; up to 64 KB. Never throws, whatever the bytes; a refusal never repeats any of the input.
 */
export function readCsr(input: string | Uint8Array): CsrReadResult {
  const located = locateCsr(input);
  if (!located.ok) return located;
  try {
    const csr = parseCsr(located.der);
    return conflictingSsid(csr) ? failure("ssid-conflict") : { ok: true, csr };
  } catch {
    return failure("not-a-csr");
  }
}

function parseCsr(der: Uint8Array): Csr {
  const [info, algorithm, signature, ...rest] = members(readElement(der));
  const [version, name, spki, attributes] = members(info);
  if (!info || !algorithm || !spki || rest.length > 0 || readUnsigned(version) !== 0n) {
    throw new CaError("malformed", "Not a CertificationRequest.");
  }
  const subjectAttributes = readName(name);
  const subject = toSubjectFields(subjectAttributes);
  const subjectAlternateName = requestedNames(attributes);
  const key = readPublicKey(expectTag(spki, TAG.sequence).der);
  return {
    der,
    pem: toPem("CERTIFICATE REQUEST", der),
    sha256: sha256Hex(der),
    subject,
    subjectAttributes,
    subjectAlternateName,
    ...key,
    spkiSha256: sha256Hex(key.spkiDer),
    ssid: subject.deviceSerialNumber?.trim() || (ssidNames(subjectAlternateName)[0] ?? null),
    signature: readCsrSignature(info.der, algorithm, readBitString(signature)),
  };
}

/** Names of all subjectAltName extensions in the extension request attributes (RFC 2986 §4.1, PKCS #9 §5.4.2). */
function requestedNames(attributes: DerElement | undefined): AlternateName[] {
  if (!attributes) return [];
  return members(attributes, contextConstructedTag(0)).flatMap((attribute) => {
    const [typeId, values] = members(attribute);
    const type = readObjectIdentifier(typeId);
    if (type !== OID.extensionRequest && type !== OID.microsoftExtensionRequest) return [];
    return members(values, TAG.set).flatMap((extensions) => members(extensions).flatMap(alternateNamesOf));
  });
}

function alternateNamesOf(extension: DerElement): AlternateName[] {
  const parts = members(extension);
  if (readObjectIdentifier(parts[0]) !== OID.subjectAltName) return [];
  const { content } = expectTag(parts.at(-1), TAG.octetString);
  return readGeneralNames(expectTag(readElement(content), TAG.sequence).content);
}

const ssidNames = (names: readonly AlternateName[]): string[] =>
  names.filter(({ type, value }) => type === "ssid" && value.trim() !== "").map(({ value }) => value.trim());

const conflictingSsid = ({ ssid, subjectAlternateName }: Csr): boolean =>
  ssidNames(subjectAlternateName).some((name) => name.toUpperCase() !== ssid?.toUpperCase());
