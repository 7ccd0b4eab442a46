import { type CsrInput, pemOf, readCsrInput } from "./csr-import.service.server";

/** The CSR of a form with a text box and a file. `field` is the one that was used. */
export interface SentCsr {
  input: CsrInput;
  field: "csr" | "csrFile";
}

/**
 * Reads the CSR of a form with a text box and a file. The file takes precedence. `shown` is the text that the form may show again; it is
 * empty for a private key and for a text that is too long for a CSR.
 */
export function readSentCsr({ csr, file }: { csr: string; file: Uint8Array | null }): {
  csr: SentCsr;
  isMissing: boolean;
  shown: string;
} {
  const input = readCsrInput(file ?? csr);
  const isMissing = !input.read.ok && (input.read.code === "empty" || input.read.code === "empty-file");
  const text = file ? (pemOf(input) ?? Buffer.from(file).toString("latin1")) : csr;
  return { csr: { input, field: file ? "csrFile" : "csr" }, isMissing, shown: input.kind === "readable" ? text : "" };
}
