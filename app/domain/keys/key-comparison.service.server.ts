import { type DbOrTrx, getDb } from "~db/connection.server";
import { listComparisons, saveComparisons } from "~db/repositories/key-comparisons.server";
import { extendProducts } from "./modulus-products.service.server";
import {
  type ComparedKey,
  compareWithProducts,
  findAmongNew,
  type Sharing,
  type Sharings,
} from "./shared-primes.server";
import { hasFactorBelowLimit } from "./small-factors.server";

const identitiesOf = (keys: readonly ComparedKey[]) => keys.map(({ keyIdentity }) => keyIdentity);

/** What is wrong with a key: it has a small prime factor, or shares a prime with other keys. */
export type Weakness = "small-factor" | Sharing;

/**
 * Looks for small prime factors of keys, and compares them with every stored key. The first comparison of a key is complete;
 * later ones cover only what has changed since. Returns what is wrong, by the identity of the key. Runs outside transactions.
 * docs/decisions/0041 states the cost.
 */
export async function compareKeys(all: readonly ComparedKey[], now = new Date()): Promise<Map<string, Weakness>> {
  const keys = [...new Map(all.map((key) => [key.keyIdentity, key])).values()];
  await extendProducts();
  const known = await listComparisons(getDb(), identitiesOf(keys));
  const weak = new Map<string, Weakness>();
  for (const { keyIdentity, modulus } of keys)
    if (!known.has(keyIdentity) && (await hasFactorBelowLimit(modulus))) weak.set(keyIdentity, "small-factor");
  const compared = keys
    .filter(({ keyIdentity }) => !weak.has(keyIdentity))
    .map((key) => ({ ...key, known: known.get(key.keyIdentity) ?? 0 }));
  const sharings: Sharings = new Map();
  // The products are read in the order of their versions, so a change during the comparison has a higher version and is compared again.
  const version = await compareWithProducts(getDb(), compared, sharings);
  const sound = identitiesOf(compared).filter((identity) => !sharings.has(identity));
  const changed = sound.filter((identity) => (known.get(identity) ?? -1) < version);
  await saveComparisons(getDb(), changed, version, now);
  for (const [keyIdentity, sharing] of sharings) weak.set(keyIdentity, sharing);
  return weak;
}

/** Compares one key as `compareKeys` does. Returns what is wrong, or null. */
export const compareKey = async (key: ComparedKey, now = new Date()): Promise<Weakness | null> =>
  (await compareKeys([key], now)).get(key.keyIdentity) ?? null;

/**
 * Compares keys with what has changed since `compareKeys`: with the stored keys that are in no product, and with the products that changed
 * after each key was compared. Changes nothing, so a transaction that decides about keys calls it. When two keys that share a prime are
 * decided at the same time, the comparison of the key that is stored later finds the other one.
 */
export async function compareAgain(db: DbOrTrx, keys: readonly ComparedKey[]): Promise<Sharings> {
  if (keys.length === 0) return new Map();
  // The new keys come first: a key that is added to a product in the meantime is then found there.
  const sharings = await findAmongNew(db, keys);
  const known = await listComparisons(db, identitiesOf(keys));
  await compareWithProducts(
    db,
    keys.map((key) => ({ ...key, known: known.get(key.keyIdentity) ?? 0 })),
    sharings,
  );
  return sharings;
}
