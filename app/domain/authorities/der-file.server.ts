import { readFile } from "node:fs/promises";
import { fromPem } from "~/ca/pem.server";
import { explainFileError } from "~/lib/file-problem.server";

/**
 * Returns the DER in a file, which is DER or PEM.
 *
 * @param file The path of the file.
 * @param label The label of the PEM block, such as `CERTIFICATE`.
 * @throws FileProblem when the file cannot be read.
 * @throws CaError when the file is PEM and has no block with this label.
 */
export async function readDerFile(file: string, label: string): Promise<Uint8Array> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw explainFileError(error, file);
  });
  return bytes.includes("-----BEGIN") ? fromPem(label, bytes.toString("latin1")) : bytes;
}
