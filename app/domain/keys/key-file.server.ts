import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { explainFileError } from "~/lib/file-problem.server";

/** The maximum length of a line, far above that of any valid line. A longer line is cut off and is not a key. */
const MAX_LINE = 400;

const KEY = /^(?:[\da-f]{20}|[\da-f]{64})$/i;

/** A part of the file, in order. `line` is the number of its first line. */
interface FilePart {
  line: number;
  lines: string[];
}

/** The content of a line or an entry: a key's fingerprint, null for a blank line or a comment, or the problem with it. */
export type KeyLine = { fingerprint: Buffer; list?: string } | { problem: string } | null;

/** A part of a list of keys, in order. `line` is the number of its first line or entry. */
export interface KeyPart {
  line: number;
  lines: readonly KeyLine[];
}

/** A list of keys that is read in parts, and more than once. */
export interface KeySource {
  /** The name of the source in messages. */
  label: string;
  /** The name of the list for keys that do not name one. */
  name: string;
  read: () => AsyncGenerator<KeyPart>;
  /** The lists that contain keys of Debian's weak OpenSSL, besides those with fingerprints in Debian's own format. */
  debianLists: ReadonlySet<string>;
}

/**
 * Reads a text file in parts, never as a whole, so that a line without an end costs no more memory than any other. Throws a FileProblem
 * when the file cannot be read.
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

/** Reads a line of the file. The first line may begin with a byte order mark. */
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

/** Returns the keys of a text file with one fingerprint per line: Debian's format and that of docs/operations.md. */
export const textSource = (file: string, name = basename(file)): KeySource => ({
  label: file,
  name,
  debianLists: new Set(),
  read: async function* () {
    for await (const { line, lines } of readTextFile(file))
      yield { line, lines: lines.map((text, index) => readKeyLine(text, line + index === 1)) };
  },
});
