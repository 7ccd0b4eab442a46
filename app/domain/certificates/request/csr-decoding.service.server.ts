import { type Requester } from "~/domain/keys/key-rules.server";
import { getDb } from "~db/connection.server";
import { type CsrImport, importCsr } from "./csr-import.service.server";
import { takenKeyProblem } from "../succession/successor-csr.server";

/** `importCsr` for programs (B §7). In: whether a key that has a certificate or an order already is refused too. */
export async function decodeCsr(input: string, isKeyNew: boolean, requester: Requester): Promise<CsrImport> {
  const read = await importCsr(input, requester);
  if (!read.ok || !isKeyNew) return read;
  const problem = await takenKeyProblem(getDb(), read.csr, requester.ownerId);
  return problem ? { ok: false, messages: [problem] } : read;
}
