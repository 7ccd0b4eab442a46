import { open } from "node:fs/promises";
import { explainFileError, FileProblem } from "~/lib/file-problem.server";

/** How many bytes are read to find the header row. No header row is longer. */
const HEAD = 64 * 1024;

const AGAIN = "In a spreadsheet program, save it again as 'CSV UTF-8', and import that file.";

/** The message for a text that is not UTF-8, which has bytes of a single-byte encoding for letters outside ASCII. */
export const NOT_UTF8 = `the text is not UTF-8; the file is probably in Windows-1252 ('ANSI'). ${AGAIN}`;

/** A CSV file: its path, or its name and its bytes. */
export type CsvSource = string | { name: string; bytes: Buffer };

/** Returns the path or the name of a CSV file. */
export const nameOfSource = (source: CsvSource): string => (typeof source === "string" ? source : source.name);

async function readHead(file: CsvSource): Promise<Buffer> {
  if (typeof file !== "string") return file.bytes.subarray(0, HEAD);
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Recognises UTF-16 by its byte order mark, or by the zero byte in every ASCII letter. */
const isUtf16 = (head: Buffer) =>
  /^(\xff\xfe|\xfe\xff)/.test(head.toString("latin1", 0, 2)) || head[0] === 0 || head[1] === 0;

/**
 * Reads the header row of a CSV file. Returns the separator of the cells: a semicolon if the row has more semicolons than commas, otherwise
 * a comma. Throws a FileProblem for a file that cannot be read and for UTF-16.
 */
export async function examineCsvFile(file: CsvSource): Promise<"," | ";"> {
  const head = await readHead(file).catch((error: unknown) => {
    throw explainFileError(error, nameOfSource(file));
  });
  if (isUtf16(head)) throw new FileProblem(`the file is in UTF-16 ('Unicode'), not in UTF-8. ${AGAIN}`);
  const [header = ""] = /[^\r\n]+/.exec(head.toString("utf8")) ?? [];
  return header.split(";").length > header.split(",").length ? ";" : ",";
}
