import { hasFactorBelowLimit } from "~/ca/csr/small-factors.server";
import { getDb, type Trx } from "~db/connection.server";
import { findComparison, saveComparison } from "~db/repositories/key-comparisons.server";
import { findProductVersion } from "~db/repositories/modulus-products.server";
import { extendProducts } from "./modulus-products.service.server";
import { type ComparedKey, findSharing, type Sharing } from "./shared-primes.server";

/**
 * Looks for a small prime factor of a key, and compares it with every stored one: the whole way the first time, later with what changed
 * since. Returns what is wrong, or null. Outside transactions. docs/decisions/0041 says what it costs.
 */
export async function compareKey(key: ComparedKey, now = new Date()): Promise<"small-factor" | Sharing | null> {
  const known = await findComparison(getDb(), key.keyIdentity);
  if (known === null && (await hasFactorBelowLimit(key.modulus))) return "small-factor";
  await extendProducts();
  const version = await findProductVersion(getDb()); // before the products are read: what changes later is compared again
  const sharing = await findSharing(getDb(), key, known ?? 0);
  if (sharing === null) await saveComparison(getDb(), key.keyIdentity, version, now);
  return sharing;
}

/**
 * The same in the transaction that decides about the key, with what changed since `compareKey`. Of two keys that share a prime and are
 * decided about at the same moment, the one that was stored later finds the other.
 */
export const compareAgain = async (trx: Trx, key: ComparedKey): Promise<Sharing | null> =>
  findSharing(trx, key, (await findComparison(trx, key.keyIdentity)) ?? 0);
