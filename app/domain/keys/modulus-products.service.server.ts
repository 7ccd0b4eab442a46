import { setImmediate as othersTurn } from "node:timers/promises";
import { product } from "~/ca/csr/primes.server";
import { modulusOf } from "~/ca/csr/read.server";
import { bigIntOf, bytesOfInteger } from "~/lib/big-integer";
import { getDb, type Trx } from "~db/connection.server";
import {
  listProductsOfKeys,
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

/**
 * Multiplies moduli into the last product, or into new ones when it is full, and notes for each request which product contains its modulus.
 * A key that a product already contains is only noted. Returns how many requests this call noted.
 */
async function addAll(trx: Trx, candidates: readonly Candidate[]): Promise<number> {
  const last = await lockLastProduct(trx);
  const known = await listProductsOfKeys(
    trx,
    candidates.map(({ keyIdentity }) => keyIdentity),
  );
  const isNew = ({ modulus, keyIdentity }: Candidate) => modulus !== null && !known.has(keyIdentity);
  const moduli = new Map(candidates.filter(isNew).map(({ keyIdentity, modulus }) => [keyIdentity, modulus as bigint]));
  const waiting = [...moduli];
  let open = last && last.keyCount < MODULI ? last : null;
  while (waiting.length > 0) {
    const added = waiting.splice(0, MODULI - (open?.keyCount ?? 0));
    const factor = product(added.map(([, modulus]) => modulus));
    const whole = open ? bigIntOf(open.product) * factor : factor;
    const keyCount = (open?.keyCount ?? 0) + added.length;
    const id = await saveProduct(trx, { id: open?.id ?? null, keyCount, product: bytesOfInteger(whole) });
    for (const [keyIdentity] of added) known.set(keyIdentity, id);
    open = null;
  }
  let noted = 0;
  for (const { id, modulus, keyIdentity } of candidates)
    if (await noteProduct(trx, id, modulus === null ? 0 : (known.get(keyIdentity) as number))) noted += 1;
  return noted;
}

/**
 * Adds moduli of requests to the products while at least this many requests wait. Returns how many requests this call noted, and those that still
 * wait.
 */
async function extend(atLeast: number): Promise<{ noted: number; left: Request[] }> {
  let noted = 0;
  for (;;) {
    const requests = await listWithoutProduct(getDb(), 0, BATCH);
    if (requests.length < atLeast) return { noted, left: requests };
    const candidates: Candidate[] = [];
    for (const request of requests) {
      candidates.push({ ...request, modulus: modulusOf(request.csr) });
      await othersTurn();
    }
    noted += await inTransaction((trx) => addAll(trx, candidates));
  }
}

/**
 * Adds the modulus of every request to the products that `compareWithProducts` searches. Safe in several processes. Returns how many requests
 * this call noted.
 */
export const extendProducts = async (): Promise<number> => (await extend(1)).noted;

/**
 * Extends the products when many requests wait, and returns the others, which are to be compared one by one. Each extension writes a whole
 * product, and whoever compares a key reads it again, so a few are cheaper to compare.
 *
 * @param atLeast How many requests are many, from 1 to 32.
 */
export const extendWhenMany = async (atLeast: number): Promise<Request[]> => (await extend(atLeast)).left;
