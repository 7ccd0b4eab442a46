import { open } from "node:fs/promises";
import { explainFileError, FileProblem } from "~/lib/file-problem.server";

/** More than any header row is long. */
const HEAD = 64 * 1024;

const AGAIN = "In a spreadsheet program, save it again as 'CSV UTF-8', and import that file.";

/** What is said of a text with bytes that are not UTF-8: those of a single-byte encoding with a letter beyond ASCII. */
export const NOT_UTF8 = `the text is not UTF-8; the file is probably in Windows-1252 ('ANSI'). ${AGAIN}`;

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** By its byte order mark, or by the zero byte that UTF-16 has in every ASCII letter. */
const isUtf16 = (head: Buffer) =>
  /^(\xff\xfe|\xfe\xff)/.test(head.toString("latin1", 0, 2)) || head[0] === 0 || head[1] === 0;

/**
 * Looks at the header row of a CSV file. Out: the separator of its cells, semicolon where the row has more of them than commas.
 * Throws FileProblem for a file that cannot be read and for UTF-16.
 */
export async function examineCsvFile(file: string): Promise<"," | ";"> {
  const head = await readHead(file).catch((error: unknown) => {
    throw explainFileError(error, file);
  });
  if (isUtf16(head)) throw new FileProblem(`the file is in UTF-16 ('Unicode'), not in UTF-8. ${AGAIN}`);
  const [header = ""] = /[^\r\n]+/.exec(head.toString("utf8")) ?? [];
  return header.split(";").length > header.split(",").length ? ";" : ",";
}
