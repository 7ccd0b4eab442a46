import { setImmediate as othersTurn } from "node:timers/promises";
import { readCsr } from "~/ca/csr/read.server";
import { bigIntOf, bytesOfInteger } from "~/lib/big-integer";
import { getDb, type Trx } from "~db/connection.server";
import {
  findProductOfKey,
  listWithoutProduct,
  lockLastProduct,
  noteProduct,
  saveProduct,
} from "~db/repositories/modulus-products.server";
import { inTransaction } from "~db/transaction.server";

/** The number of moduli in one product, which is 64 KB for keys of 2048 bits. Larger products cost more for each modulus. */
const MODULI = 256;
/** The number of requests that one transaction handles. */
const BATCH = 32;

type Request = Awaited<ReturnType<typeof listWithoutProduct>>[number];

interface Candidate extends Request {
  /** Null for a key that is not RSA and for a CSR that cannot be read. */
  modulus: bigint | null;
}

/** Returns the modulus of a stored CSR, or null when it has none. */
export function modulusOf(csr: Buffer): bigint | null {
  const read = readCsr(csr);
  return read.ok && read.csr.publicKey.algorithm === "RSA" ? read.csr.publicKey.modulus : null;
}

/** Multiplies a modulus into the last product, unless a product already contains its key. Returns whether this call noted the request. */
async function add(trx: Trx, { id, keyIdentity, modulus }: Candidate): Promise<boolean> {
  const last = await lockLastProduct(trx);
  const known = modulus === null ? 0 : await findProductOfKey(trx, keyIdentity);
  if (modulus === null || known !== null) return noteProduct(trx, id, known ?? 0);
  const open = last !== null && last.keyCount < MODULI ? last : null;
  const product = open ? bigIntOf(open.product) * modulus : modulus;
  const saved = { id: open?.id ?? null, keyCount: (open?.keyCount ?? 0) + 1, product: bytesOfInteger(product) };
  return noteProduct(trx, id, await saveProduct(trx, saved));
}

/**
 * Adds the modulus of every request to the products that `findSharing` searches. Safe in several processes. Returns how many requests this
 * call noted.
 */
export async function extendProducts(): Promise<number> {
  let noted = 0;
  for (;;) {
    const requests = await listWithoutProduct(getDb(), 0, BATCH);
    if (requests.length === 0) return noted;
    const candidates: Candidate[] = [];
    for (const request of requests) {
      candidates.push({ ...request, modulus: modulusOf(request.csr) });
      await othersTurn();
    }
    noted += await inTransaction(async (trx) => {
      let count = 0;
      for (const candidate of candidates) if (await add(trx, candidate)) count += 1;
      return count;
    });
  }
}
