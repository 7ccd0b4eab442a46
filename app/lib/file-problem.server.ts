/** Thrown when a file that an operator named cannot be read, or is invalid from some line on. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
}

/** Reasons by the error code of the file system. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: ": there is no such file",
  ENOTDIR: ": there is no such file",
  EISDIR: ": it is a folder",
  EACCES: ": access to it is denied",
  EPERM: ": access to it is denied",
};

/** The reasons for a new file that cannot be written. */
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

/** Returns an error of the file system as a FileProblem that names the file. Other errors are returned unchanged. */
export const explainFileError = (error: unknown, file: string): unknown =>
  explain(error, `${file} cannot be read`, UNREADABLE);

/** Returns the FileProblem for a file that could not be written. Other errors are returned unchanged. */
export const explainWriteError = (error: unknown, file: string): unknown =>
  explain(error, `${file} cannot be written`, UNWRITABLE);
