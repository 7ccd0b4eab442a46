/** A file that an operator named cannot be read, or not on from some place. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
}

/** By what the file system answers. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: ": there is no such file",
  ENOTDIR: ": there is no such file",
  EISDIR: ": it is a folder",
  EACCES: ": access to it is denied",
  EPERM: ": access to it is denied",
};

/** The same where a new file was to be written. */
const UNWRITABLE: Readonly<Record<string, string>> = {
  ...UNREADABLE,
  EEXIST: ": it exists already; name a new file",
  ENOENT: ": there is no such folder",
  ENOTDIR: ": there is no such folder",
  ENOSPC: ": there is no space left",
};

const explain = (error: unknown, what: string, reasons: Readonly<Record<string, string>>): unknown =>
  error instanceof Error && "syscall" in error && "code" in error
    ? new FileProblem(`${what}${reasons[String(error.code)] ?? ""}.`, { cause: error })
    : error;

/** What the file system answered as a FileProblem that names the file; any other error as it is. */
export const explainFileError = (error: unknown, file: string): unknown =>
  explain(error, `${file} cannot be read`, UNREADABLE);

/** The same for a file that was to be written. */
export const explainWriteError = (error: unknown, file: string): unknown =>
  explain(error, `${file} cannot be written`, UNWRITABLE);
