import { readHeader } from "../der.server";
import { fromBase64, pemBody } from "../pem.server";
import { looksLikeCertificate, looksLikePrivateKey, SEQUENCE } from "./classify.server";

/** Stable reasons for not reading an input as a CSR. */
export type CsrReadCode =
  "empty" | "too-large" | "private-key" | "certificate" | "several" | "truncated" | "not-a-csr" | "ssid-conflict";

export interface CsrReadFailure {
  ok: false;
  code: CsrReadCode;
  message: string;
}

export const MAX_INPUT_BYTES = 64 * 1024;

/** One sentence each, naming what is wrong and what to do. None repeats any of the input, which may be a secret. */
const MESSAGES: Record<CsrReadCode, string> = {
  empty: "There is no certificate signing request (CSR). Paste its text or choose its file.",
  "too-large": "The input is larger than 64 KB, which no CSR is. Paste only the CSR, or choose the right file.",
  "private-key":
    "This is a private key, not a CSR. Never send a private key to anyone: it was not stored, but treat it as disclosed, create a new key and import the CSR made with it.",
  certificate: "This is a certificate, not a CSR. Create a certificate signing request with your key and import that.",
  several: "The input holds more than one CSR. Import one of them.",
  truncated: "The CSR is incomplete. Copy all of it, from the BEGIN line to the END line.",
  "not-a-csr":
    "This is not a certificate signing request (CSR). Import the PEM text from -----BEGIN CERTIFICATE REQUEST----- to -----END CERTIFICATE REQUEST-----, or the DER file.",
  "ssid-conflict":
    "The serial number in the CSR's subject and its oftp:// alternative name differ. Both state the OFTP ID (SSID): create a CSR in which they agree, or give only one of them.",
};

export const failure = (code: CsrReadCode): CsrReadFailure => ({ ok: false, code, message: MESSAGES[code] });

const LABELS = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"];
const PRIVATE_KEY_TEXT = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|^PuTTY-User-Key-File-/m;
const CERTIFICATE_TEXT = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;

/**
 * Finds the one CSR in text or bytes: PEM with anything around it, bare base64, or DER. The result is the DER of one element with the
 * outline of a CSR; whether it is one is for the reader to say. Every step is linear in the input, which is at most 64 KB.
 */
export function locateCsr(input: string | Uint8Array): { ok: true; der: Uint8Array } | CsrReadFailure {
  if (input.length > MAX_INPUT_BYTES) return failure("too-large");
  if (input.length === 0) return failure("empty");
  return typeof input === "string" ? locateInText(input) : locateInBytes(input);
}

function locateInBytes(bytes: Uint8Array): ReturnType<typeof locateCsr> {
  if (looksLikePrivateKey(bytes)) return failure("private-key");
  if (bytes[0] === SEQUENCE && (bytes[1] ?? 0) >= 0x80) return delimit(bytes);
  return locateInText(new TextDecoder(encodingOf(bytes)).decode(bytes));
}

/** UTF-16 by its byte order mark, as Windows editors save it; else UTF-8. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function locateInText(text: string): ReturnType<typeof locateCsr> {
  if (text.trim() === "") return failure("empty");
  if (PRIVATE_KEY_TEXT.test(text)) return failure("private-key");
  const begins = LABELS.reduce((sum, label) => sum + text.split(`-----BEGIN ${label}-----`).length - 1, 0);
  if (begins > 1) return failure("several");
  if (begins === 0 && CERTIFICATE_TEXT.test(text)) return failure("certificate");
  const body = begins === 0 ? text : LABELS.map((label) => pemBody(label, text)).find((found) => found !== null);
  if (body === undefined) return failure("truncated");
  const bytes = fromBase64(body ?? "");
  return bytes ? delimit(bytes) : failure("not-a-csr");
}

/** Cuts off what follows the first element, and names the things that are often mistaken for a CSR. */
function delimit(bytes: Uint8Array): ReturnType<typeof locateCsr> {
  if (looksLikePrivateKey(bytes)) return failure("private-key");
  try {
    if (bytes[0] !== SEQUENCE) return failure("not-a-csr");
    const { end } = readHeader(bytes, 0);
    if (end > bytes.length) return failure("truncated");
    if (looksLikeCertificate(bytes)) return failure("certificate");
    return { ok: true, der: bytes.subarray(0, end) };
  } catch {
    return failure("not-a-csr");
  }
}
