import { CaError } from "./errors.server";

/** PEM of the bytes: label, base64 in lines of 64, a newline at the end (RFC 7468 §3). */
export function toPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

/** Bytes of the first block with this label; text around it is ignored. Throws CaError `malformed` when there is none. */
export function fromPem(label: string, pem: string): Uint8Array {
  const body = pemBody(label, pem);
  const bytes = body === null ? null : fromBase64(body);
  if (!bytes) throw new CaError("malformed", `No PEM block ${label} found.`);
  return bytes;
}

/** Text between the first begin line and the end line that follows it, or null when one of them is missing. */
export function pemBody(label: string, pem: string): string | null {
  const begin = `-----BEGIN ${label}-----`;
  const start = pem.indexOf(begin);
  const end = start < 0 ? -1 : pem.indexOf(`-----END ${label}-----`, start);
  return end < 0 ? null : pem.slice(start + begin.length, end);
}

/** Bytes of base64 text with any white space in it, or null when it holds anything else or nothing. */
export function fromBase64(text: string): Uint8Array | null {
  const compact = text.replace(/\s+/g, "");
  if (compact === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return null;
  return Buffer.from(compact, "base64");
}
