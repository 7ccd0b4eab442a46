import { type PrimeProducts } from "~/ca/csr/small-factors.server";
import { inWorker } from "~/domain/workers/pool.server";

/** Made on first use, and shared by all worker threads of this process. */
let products: Promise<PrimeProducts> | undefined;

async function primeProducts(): Promise<PrimeProducts> {
  products ??= inWorker("makePrimeProducts");
  products.catch(() => (products = undefined));
  return products;
}

/** Returns whether an odd modulus has a prime factor below 2^24. The work is done in a worker thread. */
export const hasFactorBelowLimit = async (modulus: bigint): Promise<boolean> =>
  inWorker("hasFactorIn", { modulus, products: await primeProducts() });
