import { setImmediate as othersTurn } from "node:timers/promises";
import { modulusOf } from "~/ca/csr/read.server";
import { inWorker } from "~/domain/workers/pool.server";
import { getDb } from "~db/connection.server";
import { forgetComparison } from "~db/repositories/key-comparisons.server";
import {
  forgetProduct,
  listInProduct,
  listOutsideProducts,
  listProducts,
  lockLastProduct,
} from "~db/repositories/modulus-products.server";
import { inTransaction } from "~db/transaction.server";
import { extendProducts } from "./modulus-products.service.server";

/** The number of requests that are read at a time. */
const REQUESTS = 200;

type Request = Awaited<ReturnType<typeof listInProduct>>[number];

/** Resets requests, so that their keys count as being in no product and never compared. */
const forget = (requests: readonly Request[]): Promise<void> =>
  inTransaction(async (trx) => {
    await lockLastProduct(trx);
    for (const { id, keyIdentity } of requests) {
      await forgetProduct(trx, id);
      await forgetComparison(trx, keyIdentity);
    }
  });

interface Proof {
  /** The number of keys that are in a product. */
  proved: number;
  /** The certificates and orders whose keys were in no product and have been added to one. */
  missing: number[];
}

/** Returns the requests of a product whose moduli do not divide it, and the number of distinct moduli. */
async function listMissing({ id, product }: { id: number; product: Buffer }): Promise<[Request[], number]> {
  const requests = await listInProduct(getDb(), id);
  const { moduli, missing } = await inWorker("proveProductOf", {
    stored: product,
    csrs: requests.map(({ csr }) => csr),
  });
  return [requests.filter((_, index) => missing[index]), moduli];
}

async function proveAll(): Promise<Proof> {
  const proof: Proof = { proved: 0, missing: [] };
  const put = async (requests: readonly Request[]) => {
    if (requests.length > 0) await forget(requests);
    proof.missing.push(...requests.map(({ id }) => id));
  };
  for (let after = 0; ;) {
    const [stored] = await listProducts(getDb(), after, 1);
    if (!stored) break;
    const [missing, moduli] = await listMissing(stored);
    proof.proved += moduli - new Set(missing.map(({ keyIdentity }) => keyIdentity)).size;
    await put(missing);
    after = stored.version;
  }
  for (let after = 0; ;) {
    const requests = await listOutsideProducts(getDb(), after, REQUESTS);
    await put(requests.filter(({ csr }) => modulusOf(csr) !== null));
    if (requests.length < REQUESTS) break;
    after = requests.at(-1)?.id ?? after;
    await othersTurn();
  }
  return proof;
}

/**
 * Proves that the modulus of every RSA key is in the product that its request names. A key that is missing, for example because a row was
 * changed by hand, is added to a product and counts as never compared.
 */
export async function proveProducts(): Promise<Proof> {
  await extendProducts();
  const proof = await proveAll();
  if (proof.missing.length > 0) await extendProducts();
  return proof;
}
