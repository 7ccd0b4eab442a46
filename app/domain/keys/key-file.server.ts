import { createReadStream } from "node:fs";
import { explainFileError } from "~/lib/file-problem.server";

/** Far above any line of a list; what is longer is cut there and no key. */
const MAX_LINE = 400;

const KEY = /^(?:[\da-f]{20}|[\da-f]{64})$/i;

/** A part of the file in its order; `line` is the number of its first one. */
export interface FilePart {
  line: number;
  lines: string[];
}

/**
 * Reads a text file part by part, never as a whole: a line without an end costs no more memory than another one.
 * Throws FileProblem when it cannot be read.
 */
export async function* readKeyFile(file: string): AsyncGenerator<FilePart> {
  let line = 1;
  let rest = "";
  try {
    for await (const chunk of createReadStream(file, { encoding: "latin1" })) {
      const lines = (rest + String(chunk)).split("\n");
      rest = (lines.pop() ?? "").slice(0, MAX_LINE);
      yield { line, lines };
      line += lines.length;
    }
  } catch (error) {
    throw explainFileError(error, file);
  }
  if (rest !== "") yield { line, lines: [rest] };
}

/** What a line is: a key's fingerprint, nothing (blank, comment), or why it is neither. */
export type KeyLine = { fingerprint: Buffer } | { problem: string } | null;

/** In: a line of the file, of which `first` may begin with a byte order mark. */
export function readKeyLine(text: string, first: boolean): KeyLine {
  const content = (first ? text.replace(/^\xef\xbb\xbf/, "") : text).trim();
  if (content === "" || content.startsWith("#")) return null;
  return KEY.test(content) ? { fingerprint: Buffer.from(content, "hex") } : { problem: problemOf(content) };
}

function problemOf(content: string): string {
  if (!/^[\da-f]+$/i.test(content)) return "other characters than hexadecimal digits";
  const hint = content.length === 40 ? "; openssl-blacklist has the last 20 of the 40 digits of SHA-1" : "";
  return `${content.length === MAX_LINE ? "too many" : content.length} hexadecimal digits instead of 20 or 64${hint}`;
}
