import { type PrimeProducts } from "~/ca/csr/small-factors.server";
import { inWorker } from "~/domain/workers/pool.server";

/** Made on first use, and shared by all worker threads of this process. */
let products: Promise<PrimeProducts> | undefined;

async function primeProducts(): Promise<PrimeProducts> {
  products ??= inWorker("makePrimeProducts");
  products.catch(() => (products = undefined));
  return products;
}

/** Returns for each of these odd moduli whether it has a prime factor below 2^24. The work is done in a worker thread. */
const haveFactorsBelowLimit = async (moduli: readonly bigint[]): Promise<boolean[]> =>
  moduli.length === 0 ? [] : inWorker("haveFactorIn", { moduli, products: await primeProducts() });

/** Returns the keys whose modulus has a prime factor below 2^24. */
export async function withSmallFactor<Key extends { modulus: bigint }>(keys: readonly Key[]): Promise<Key[]> {
  const found = await haveFactorsBelowLimit(keys.map(({ modulus }) => modulus));
  return keys.filter((_, index) => found[index]);
}
