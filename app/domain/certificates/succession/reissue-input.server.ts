import { csrInputKind, pemOf } from "../request/csr-import.service.server";

/**
 * The CSR of a form with a text box and a file, which wins. Out: `csr` to be imported, and `shown`, which may be shown again: never a
 * private key, nor what is too long to be a CSR.
 */
export function readReissueCsr({ csr: typed, file }: { csr: string; file: Uint8Array | null }) {
  const csr = file ? (pemOf(file) ?? Buffer.from(file).toString("latin1")) : typed;
  return { csr, shown: csrInputKind(csr) === "readable" ? csr : "" };
}
