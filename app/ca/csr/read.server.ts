import { LRUCache } from "lru-cache";
import { type CertificationRequest } from "pkijs";
import { derOf, wholeBytes } from "../der.server";
import { toPem } from "../pem.server";
import { sha256Hex } from "../thumbprint.server";
import { type AlternateName } from "../x509/general-names.server";
import { type NameAttribute, readName, type SubjectFields, toSubjectFields } from "../x509/name.server";
import { keyIdentityOf, type PublicKeyInfo, readPublicKey } from "../x509/public-key.server";
import { type CsrReadFailure, failure, locateCsr } from "./input.server";
import { parseRequest } from "./request.server";
import { readRequestedNames } from "./requested-names.server";
import { type CsrSignature, readCsrSignature } from "./signature.server";
import { readingPart, UnreadableCsr } from "./unreadable.server";

/** A PKCS #10 CertificationRequest (RFC 2986) after parsing. Its contents are not checked yet; `checkCsr` does that. */
export interface Csr {
  der: Uint8Array;
  pem: string;
  /** SHA-256 of `der`, lower-case hex. */
  sha256: string;
  /** The first value of each known attribute. `subjectAttributes` has all values, in order. */
  subject: SubjectFields;
  subjectAttributes: NameAttribute[];
  subjectAlternateName: AlternateName[];
  publicKey: PublicKeyInfo;
  /** Canonical SubjectPublicKeyInfo and its SHA-256 in lower-case hex. They are the same for one key, whatever its encoding in the CSR. */
  spkiDer: Uint8Array;
  spkiSha256: string;
  /** The result of `keyIdentityOf`. Keys are blocked and looked up by it. */
  keyIdentity: string;
  /** The OFTP ID: the subject's serialNumber, otherwise the `oftp://` alternative name (PUR-04). */
  ssid: string | null;
  signature: CsrSignature;
}

export type { CsrReadCode, CsrReadFailure } from "./input.server";

export type CsrReadResult = { ok: true; csr: Csr } | CsrReadFailure;

/**
 * Reads a CSR from pasted text or the bytes of a file. Accepts PEM (also `NEW CERTIFICATE REQUEST`) with text, a BOM, blanks or CRLF around
 * it, bare base64, and DER, up to 64 KB. Never throws, whatever the input. A refusal never repeats any of the input.
 */
export function readCsr(input: string | Uint8Array): CsrReadResult {
  const located = locateCsr(input);
  return located.ok ? readLocated(located.der) : located;
}

/**
 * The last results by the hash of the CSR, because it is read at its import, its completion, its checks and its approval. A result takes
 * about ten times the bytes of its CSR. Callers must not change a result.
 */
const results = new LRUCache<string, CsrReadResult>({ maxSize: 2 ** 20, maxEntrySize: 2 ** 13 });

function readLocated(der: Uint8Array): CsrReadResult {
  const sha256 = sha256Hex(der);
  const known = results.get(sha256);
  if (known) return known;
  const result = readAfresh(der, sha256);
  results.set(sha256, result, { size: der.length });
  return result;
}

function readAfresh(der: Uint8Array, sha256: string): CsrReadResult {
  try {
    const csr = readRequest(parseRequest(der), der, sha256);
    return conflictingSsid(csr) ? failure("ssid-conflict") : { ok: true, csr };
  } catch (error) {
    return error instanceof UnreadableCsr ? error.failure : failure("not-a-csr");
  }
}

function readRequest(request: CertificationRequest, der: Uint8Array, sha256: string): Csr {
  const subjectAttributes = readingPart("subject", () => readName(request.subject));
  const subject = toSubjectFields(subjectAttributes);
  const subjectAlternateName = readRequestedNames(request.attributes ?? []);
  const key = readingPart("public key", () => readPublicKey(derOf(request.subjectPublicKeyInfo.toSchema())));
  const signature = readingPart("signature", () =>
    readCsrSignature(request.tbsView, request.signatureAlgorithm, wholeBytes(request.signatureValue)),
  );
  return {
    der,
    pem: toPem("CERTIFICATE REQUEST", der),
    sha256,
    subject,
    subjectAttributes,
    subjectAlternateName,
    ...key,
    spkiSha256: sha256Hex(key.spkiDer),
    keyIdentity: keyIdentityOf(key),
    ssid: subject.deviceSerialNumber?.trim() || (ssidNames(subjectAlternateName)[0] ?? null),
    signature,
  };
}

/** Returns the modulus of a stored CSR, or null when it has none. */
export function modulusOf(csr: Uint8Array): bigint | null {
  const read = readCsr(csr);
  return read.ok && read.csr.publicKey.algorithm === "RSA" ? read.csr.publicKey.modulus : null;
}

const ssidNames = (names: readonly AlternateName[]): string[] =>
  names.filter(({ type, value }) => type === "ssid" && value.trim() !== "").map(({ value }) => value.trim());

const conflictingSsid = ({ ssid, subjectAlternateName }: Csr): boolean =>
  ssidNames(subjectAlternateName).some((name) => name.toUpperCase() !== ssid?.toUpperCase());
