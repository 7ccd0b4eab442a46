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

/** What the file system answered as a FileProblem that names the file; any other error as it is. */
export function explainFileError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error && "code" in error)) return error;
  return new FileProblem(`${file} cannot be read${UNREADABLE[String(error.code)] ?? ""}.`, { cause: error });
}
