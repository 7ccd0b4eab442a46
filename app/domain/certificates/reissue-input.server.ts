import { csrInputKind, pemOf } from "./csr-import.service.server";

const bytesOf = async (value: FormDataEntryValue | null): Promise<Uint8Array | null> =>
  value instanceof File && value.size > 0 ? new Uint8Array(await value.arrayBuffer()) : null;

/**
 * The CSR of a form with a text box and a file, which wins. Out: `csr` to be imported, and `shown`, which may be shown again: never a
 * private key, nor what is too long to be a CSR.
 */
export async function readReissueCsr(text: FormDataEntryValue | null, file: FormDataEntryValue | null) {
  const bytes = await bytesOf(file);
  const typed = typeof text === "string" ? text : "";
  const csr = bytes ? (pemOf(bytes) ?? Buffer.from(bytes).toString("latin1")) : typed;
  return { csr, shown: csrInputKind(csr) === "readable" ? csr : "" };
}
