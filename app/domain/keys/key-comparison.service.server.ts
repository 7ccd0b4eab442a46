import { getDb, type Trx } from "~db/connection.server";
import { findComparison, saveComparison } from "~db/repositories/key-comparisons.server";
import { findProductVersion } from "~db/repositories/modulus-products.server";
import { extendProducts } from "./modulus-products.service.server";
import { type ComparedKey, findSharing, type Sharing } from "./shared-primes.server";
import { hasFactorBelowLimit } from "./small-factors.server";

/**
 * Looks for a small prime factor of a key, and compares the key with every stored key. The first comparison is complete; later ones cover
 * only what has changed since. Returns what is wrong, or null. Runs outside transactions. docs/decisions/0041 states the cost.
 */
export async function compareKey(key: ComparedKey, now = new Date()): Promise<"small-factor" | Sharing | null> {
  const known = await findComparison(getDb(), key.keyIdentity);
  if (known === null && (await hasFactorBelowLimit(key.modulus))) return "small-factor";
  await extendProducts();
  const version = await findProductVersion(getDb()); // before the products are read, so that later changes are compared again
  const sharing = await findSharing(getDb(), key, known ?? 0);
  if (sharing === null) await saveComparison(getDb(), key.keyIdentity, version, now);
  return sharing;
}

/**
 * Compares a key with what has changed since `compareKey`, in the transaction that decides about the key. When two keys that share a prime
 * are decided at the same time, the comparison of the key that is stored later finds the other one.
 */
export const compareAgain = async (trx: Trx, key: ComparedKey): Promise<Sharing | null> =>
  findSharing(trx, key, (await findComparison(trx, key.keyIdentity)) ?? 0);
