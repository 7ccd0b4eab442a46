import { readHeader } from "../der.server";
import { fromBase64, type PemBlock, pemBlocks } from "../pem.server";
import { looksLikeCertificate, looksLikePrivateKey, SEQUENCE_TAG } from "./classify.server";

/** Stable codes for why an input is not read as a CSR. */
export type CsrReadCode =
  | "empty"
  | "empty-file"
  | "too-large"
  | "private-key"
  | "certificate"
  | "label"
  | "several"
  | "truncated"
  | "trailing"
  | "not-a-csr"
  | "malformed"
  | "repeated"
  | "too-many"
  | "ssid-conflict";

export interface CsrReadFailure {
  ok: false;
  code: CsrReadCode;
  message: string;
}

export const MAX_INPUT_BYTES = 64 * 1024;

/**
 * Messages that say what is wrong and what to do. `unreadable` makes the messages of the other codes. No message repeats any of the input,
 * which may be a secret.
 */
const MESSAGES: Record<Exclude<CsrReadCode, "malformed" | "repeated" | "too-many">, string> = {
  empty: "There is no certificate signing request (CSR). Paste its PEM text or choose its file.",
  "empty-file": "The file is empty. Choose the file of the CSR.",
  "too-large": "The input is larger than 64 KB, which is too large for a CSR. Import the CSR alone.",
  "private-key":
    "This is a private key, not a CSR. Never send a private key to anyone: it was not stored, but treat it as disclosed, create a new key and import the CSR made with it.",
  certificate: "This is a certificate, not a CSR. Create a certificate signing request with your key and import that.",
  label:
    "The BEGIN and END lines name something other than a CSR. Import the text from -----BEGIN CERTIFICATE REQUEST----- to -----END CERTIFICATE REQUEST-----.",
  several: "The input holds more than one CSR. Import one of them.",
  truncated: "The CSR is incomplete. Copy all of it, from the BEGIN line to the END line.",
  trailing:
    "More data follows after the CSR. Import the CSR alone, as the program that made it wrote it, or create it again.",
  "not-a-csr":
    "This is not a certificate signing request (CSR). Import the PEM text from -----BEGIN CERTIFICATE REQUEST----- to -----END CERTIFICATE REQUEST-----, or the DER file.",
  "ssid-conflict":
    "The CSR states more than one OFTP ID (SSID). Its subject's serial number and each of its oftp:// alternative names are one: create a CSR in which they agree, or give only one of them.",
};

export const failure = (code: keyof typeof MESSAGES): CsrReadFailure => ({ ok: false, code, message: MESSAGES[code] });

const LABELS = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"];
const CERTIFICATE_LABELS = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"];
/** Matches private keys in the formats of PEM, OpenSSH, PuTTY and JWK (RFC 7517 §9.3, RFC 7518 §6.2.2 and §6.3.2). */
const PRIVATE_KEY_TEXT = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|^PuTTY-User-Key-File-|"d"\s*:\s*"[\w-]{20}/m;

/**
 * Finds the only CSR in a text or in bytes: PEM with any text around it, bare base64, or DER. Returns the DER of one element that may be a
 * CSR; `readCsr` decides whether it is one. Every step takes linear time in the input, which is at most 64 KB.
 */
export function locateCsr(input: string | Uint8Array): { ok: true; der: Uint8Array } | CsrReadFailure {
  if (input.length > MAX_INPUT_BYTES) return failure("too-large");
  if (input.length === 0) return failure(typeof input === "string" ? "empty" : "empty-file");
  return typeof input === "string" ? locateInText(input) : locateInBytes(input);
}

function locateInBytes(bytes: Uint8Array): ReturnType<typeof locateCsr> {
  if (looksLikePrivateKey(bytes)) return failure("private-key");
  if (bytes[0] === SEQUENCE_TAG && (bytes[1] ?? 0) >= 0x80) return delimit(bytes);
  return locateInText(new TextDecoder(encodingOf(bytes)).decode(bytes));
}

/** Returns UTF-16 for a byte order mark, with which Windows editors save files, otherwise UTF-8. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function locateInText(text: string): ReturnType<typeof locateCsr> {
  if (text.trim() === "") return failure("empty");
  const blocks = pemBlocks(text);
  if (PRIVATE_KEY_TEXT.test(text) || blocks.some(holdsPrivateKey)) return failure("private-key");
  const requests = blocks.filter(({ label }) => LABELS.includes(label));
  if (requests.length > 1) return failure("several");
  if (blocks.length === 0) return locateInBase64(text);
  if (requests[0]) return requests[0].body === null ? failure("truncated") : locateInBase64(requests[0].body);
  const isCertificate = blocks.some(({ label }) => CERTIFICATE_LABELS.includes(label));
  return failure(isCertificate && !blocks.some(holdsRequest) ? "certificate" : "label");
}

function locateInBase64(text: string): ReturnType<typeof locateCsr> {
  const bytes = fromBase64(text);
  return bytes ? delimit(bytes) : failure("not-a-csr");
}

const bytesOf = ({ body }: PemBlock): Uint8Array => (body === null ? null : fromBase64(body)) ?? new Uint8Array();

/** Returns whether a block contains a private key, even if its label says something else. */
const holdsPrivateKey = (block: PemBlock): boolean => looksLikePrivateKey(bytesOf(block));

const holdsRequest = (block: PemBlock): boolean => delimit(bytesOf(block)).ok;

/**
 * Returns the only element in the bytes, without white space after it. Recognises private keys and certificates, which are often mistaken
 * for a CSR.
 */
function delimit(bytes: Uint8Array): ReturnType<typeof locateCsr> {
  if (looksLikePrivateKey(bytes)) return failure("private-key");
  try {
    if (bytes[0] !== SEQUENCE_TAG) return failure("not-a-csr");
    const { end } = readHeader(bytes, 0);
    if (end > bytes.length) return failure("truncated");
    if (looksLikeCertificate(bytes)) return failure("certificate");
    return isBlank(bytes.subarray(end))
      ? { ok: true, der: bytes.subarray(0, end) }
      : failure(followedByKey(bytes, end) ? "private-key" : "trailing");
  } catch {
    return failure("not-a-csr");
  }
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => [0x09, 0x0a, 0x0d, 0x20].includes(byte));

const MAX_FOLLOWING = 20;

/** Returns whether a private key is among the first elements that follow. */
function followedByKey(bytes: Uint8Array, offset: number): boolean {
  for (let start = offset, count = 0; start < bytes.length && count < MAX_FOLLOWING; count += 1) {
    if (looksLikePrivateKey(bytes.subarray(start))) return true;
    try {
      start = readHeader(bytes, start).end;
    } catch {
      return false;
    }
  }
  return false;
}
