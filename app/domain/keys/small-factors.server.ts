import { type PrimeProducts } from "~/ca/csr/small-factors.server";
import { inWorker } from "~/domain/workers/pool.server";

/** Made on first use, and shared by all worker threads of this process. */
let products: Promise<PrimeProducts> | undefined;

async function primeProducts(): Promise<PrimeProducts> {
  products ??= inWorker("makePrimeProducts");
  products.catch(() => (products = undefined));
  return products;
}

/** Moduli that are divided together. */
interface Batch {
  moduli: bigint[];
  found: Promise<boolean[]>;
}

/** The batch that waits for the one that is being divided. */
let waiting: Batch | undefined;
let dividing: Promise<unknown> = Promise.resolve();

function openBatch(): Batch {
  const moduli: bigint[] = [];
  const divide = async () => {
    waiting = undefined;
    return inWorker("haveFactorIn", { moduli, products: await primeProducts() });
  };
  const found = dividing.then(divide);
  dividing = found.catch(() => null);
  return { moduli, found };
}

/**
 * Returns for each of these odd moduli whether it has a prime factor below 2^24. The work is done in a worker thread. Those who ask while others
 * are being divided go together, because eight moduli take four times as long as one.
 */
async function haveFactorsBelowLimit(moduli: readonly bigint[]): Promise<boolean[]> {
  if (moduli.length === 0) return [];
  const batch = (waiting ??= openBatch());
  const start = batch.moduli.length;
  batch.moduli.push(...moduli);
  return (await batch.found).slice(start, start + moduli.length);
}

/** Returns the keys whose modulus has a prime factor below 2^24. */
export async function withSmallFactor<Key extends { modulus: bigint }>(keys: readonly Key[]): Promise<Key[]> {
  const found = await haveFactorsBelowLimit(keys.map(({ modulus }) => modulus));
  return keys.filter((_, index) => found[index]);
}
