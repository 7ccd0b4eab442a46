import { type AsnType } from "asn1js";
import { type Attribute, CertificationRequest, Extensions } from "pkijs";
import { derOf, malformed, membersOf, parseDer, unsigned, wholeBytes } from "../der.server";
import { OID } from "../oids.server";
import { toPem } from "../pem.server";
import { sha256Hex } from "../thumbprint.server";
import { type AlternateName, readGeneralName } from "../x509/general-names.server";
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
  /**
   * What makes two keys the same secret, lower-case hex SHA-256: of the modulus for RSA (whoever can factor it has the private key for
   * every exponent), else of the SubjectPublicKeyInfo. Keys are blocked and found in use by it.
   */
  keyIdentity: string;
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

/** pkijs needs 0.15 ms for each. */
const MAX_NAMES = 1000;

function parseCsr(der: Uint8Array): Csr {
  const request = parseRequest(der);
  const subjectAttributes = readName(request.subject);
  const subject = toSubjectFields(subjectAttributes);
  const names = (request.attributes ?? []).flatMap(requestedNames);
  if (names.length > MAX_NAMES) throw malformed("more alternative names than any CSR has");
  const subjectAlternateName = names.map(readGeneralName);
  const key = readPublicKey(derOf(request.subjectPublicKeyInfo.toSchema()));
  return {
    der,
    pem: toPem("CERTIFICATE REQUEST", der),
    sha256: sha256Hex(der),
    subject,
    subjectAttributes,
    subjectAlternateName,
    ...key,
    spkiSha256: sha256Hex(key.spkiDer),
    keyIdentity: keyIdentityOf(key),
    ssid: subject.deviceSerialNumber?.trim() || (ssidNames(subjectAlternateName)[0] ?? null),
    signature: readCsrSignature(request.tbsView, request.signatureAlgorithm, wholeBytes(request.signatureValue)),
  };
}

const keyIdentityOf = ({ publicKey, spkiDer }: ReturnType<typeof readPublicKey>): string =>
  sha256Hex(publicKey.algorithm === "RSA" ? Buffer.from(publicKey.modulus.toString(16)) : spkiDer);

/** pkijs passes over what follows the three members, and reads a long version as 0: both are looked at here. */
function parseRequest(der: Uint8Array): CertificationRequest {
  const schema = parseDer(der);
  const [info, ...rest] = membersOf(schema);
  if (rest.length !== 2 || unsigned(membersOf(info)[0]) !== 0n) throw malformed("not a CertificationRequest");
  return new CertificationRequest({ schema });
}

/** GeneralNames of all subjectAltName extensions in an extension request attribute (RFC 2986 §4.1, PKCS #9 §5.4.2). */
function requestedNames({ type, values }: Attribute): AsnType[] {
  if (type !== OID.extensionRequest && type !== OID.microsoftExtensionRequest) return [];
  // pkijs leaves the values of an empty SET undefined, and takes no empty SEQUENCE of extensions.
  return ((values as AsnType[] | undefined) ?? [])
    .filter((schema) => membersOf(schema).length > 0)
    .flatMap((schema) => new Extensions({ schema }).extensions)
    .filter(({ extnID }) => extnID === OID.subjectAltName)
    .flatMap(({ extnValue }) => membersOf(parseDer(extnValue.valueBlock.valueHexView)));
}

const ssidNames = (names: readonly AlternateName[]): string[] =>
  names.filter(({ type, value }) => type === "ssid" && value.trim() !== "").map(({ value }) => value.trim());

const conflictingSsid = ({ ssid, subjectAlternateName }: Csr): boolean =>
  ssidNames(subjectAlternateName).some((name) => name.toUpperCase() !== ssid?.toUpperCase());
