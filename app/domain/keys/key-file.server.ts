import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { explainFileError } from "~/lib/file-problem.server";

/** Far above any line of a list; what is longer is cut there and no key. */
const MAX_LINE = 400;

const KEY = /^(?:[\da-f]{20}|[\da-f]{64})$/i;

/** A part of the file in its order; `line` is the number of its first one. */
interface FilePart {
  line: number;
  lines: string[];
}

/** What a line or an entry is: a key's fingerprint, nothing (blank, comment), or why it is neither. */
export type KeyLine = { fingerprint: Buffer; list?: string } | { problem: string } | null;

/** A part of a list of keys, in its order; `line` is the number of its first line or entry. */
export interface KeyPart {
  line: number;
  lines: readonly KeyLine[];
}

/** A list of keys that is read part by part, and more than once. */
export interface KeySource {
  /** How messages call it. */
  label: string;
  /** Name of the list for keys that name none. */
  name: string;
  read: () => AsyncGenerator<KeyPart>;
  /** Lists that hold keys of Debian's weak OpenSSL, besides those with fingerprints in Debian's own format. */
  debianLists: ReadonlySet<string>;
}

/**
 * Reads a text file part by part, never as a whole: a line without an end costs no more memory than another one.
 * Throws FileProblem when it cannot be read.
 */
async function* readTextFile(file: string): AsyncGenerator<FilePart> {
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

/** In: a line of the file, of which `first` may begin with a byte order mark. */
function readKeyLine(text: string, first: boolean): KeyLine {
  const content = (first ? text.replace(/^\xef\xbb\xbf/, "") : text).trim();
  if (content === "" || content.startsWith("#")) return null;
  return KEY.test(content) ? { fingerprint: Buffer.from(content, "hex") } : { problem: problemOf(content) };
}

function problemOf(content: string): string {
  if (!/^[\da-f]+$/i.test(content)) return "other characters than hexadecimal digits";
  const hint = content.length === 40 ? "; openssl-blacklist has the last 20 of the 40 digits of SHA-1" : "";
  return `${content.length === MAX_LINE ? "too many" : content.length} hexadecimal digits instead of 20 or 64${hint}`;
}

/** The keys of a text file, one fingerprint in a line: Debian's format and that of docs/operations.md. */
export const textSource = (file: string, name = basename(file)): KeySource => ({
  label: file,
  name,
  debianLists: new Set(),
  read: async function* () {
    for await (const { line, lines } of readTextFile(file))
      yield { line, lines: lines.map((text, index) => readKeyLine(text, line + index === 1)) };
  },
});
