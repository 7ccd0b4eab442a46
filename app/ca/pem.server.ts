import { CaError } from "./errors.server";

/** Returns the PEM of the bytes: the label, base64 in lines of 64 characters, and a newline at the end (RFC 7468 §3). */
export function toPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

/** Returns the bytes of the first block with this label. Text around it is ignored. Throws a CaError `malformed` when there is none. */
export function fromPem(label: string, pem: string): Uint8Array {
  const body = pemBlocks(pem).find((block) => block.label === label)?.body ?? null;
  const bytes = body === null ? null : fromBase64(body);
  if (!bytes) throw new CaError("malformed", `No PEM block ${label} found.`);
  return bytes;
}

/** One PEM block. `body` is the text between the begin and end lines, or null when the end line is missing. */
export interface PemBlock {
  label: string;
  body: string | null;
}

/** Returns every block in the text, in order: from a begin line to the end line with the same label. Takes linear time. */
export function pemBlocks(text: string): PemBlock[] {
  const begins = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,60})-----/g)];
  return begins.map(({ index, 0: line, 1: label = "" }, position) => {
    const start = index + line.length;
    const section = text.slice(start, begins[position + 1]?.index);
    const end = section.indexOf(`-----END ${label}-----`);
    return { label, body: end < 0 ? null : section.slice(0, end) };
  });
}

/** Returns the bytes of base64 text, which may contain white space, or null when it is empty or contains anything else. */
export function fromBase64(text: string): Uint8Array | null {
  const compact = text.replace(/\s+/g, "");
  if (compact === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return null;
  return Buffer.from(compact, "base64");
}
