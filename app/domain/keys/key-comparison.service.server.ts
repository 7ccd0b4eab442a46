import { LRUCache } from "lru-cache";
import { inWorker } from "~/domain/workers/pool.server";
import { memoize } from "~/lib/memoize.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listComparisons, saveComparisons } from "~db/repositories/key-comparisons.server";
import { withoutWaitingForDisk } from "~db/transaction.server";
import { extendWhenMany } from "./modulus-products.service.server";
import {
  type ComparedKey,
  compareWithProducts,
  compareWithStored,
  findAmongNew,
  type FindSuspects,
  type Sharing,
  type Sharings,
} from "./shared-primes.server";
import { withSmallFactor } from "./small-factors.server";

/** New keys are multiplied into a product before there are more pairs of them and the compared keys than this. */
const MOST_PAIRS = 32;

const identitiesOf = (keys: readonly ComparedKey[]) => keys.map(({ keyIdentity }) => keyIdentity);

const inBackground: FindSuspects = (input) => inWorker("suspectsAmong", input);

/** The versions of the products up to which keys were compared ahead by this process, by key. */
const ahead = memoize(() => new LRUCache<string, number>({ max: 10_000 }));

/**
 * Compares keys with the products that have changed since each was last compared, and keeps in this process up to which version they are
 * sound, so that an approval that follows has less to do. Stores nothing. Leaves out keys that were never compared and those with a finding:
 * whoever decides about them compares them.
 */
export async function compareAhead(keys: readonly ComparedKey[]): Promise<void> {
  const recorded = await listComparisons(getDb(), identitiesOf(keys));
  const known = withAhead(recorded);
  const again = keys.flatMap((key) => {
    const version = known.get(key.keyIdentity);
    return version === undefined ? [] : [{ ...key, known: version }];
  });
  const sharings: Sharings = new Map();
  const version = await compareWithProducts(getDb(), again, sharings, inBackground);
  for (const { keyIdentity, known: before } of again)
    if (!sharings.has(keyIdentity)) ahead().set(keyIdentity, Math.max(version, before));
}

/** Returns these versions, or the later ones of `compareAhead`. A key whose record was deleted has to be compared from the beginning. */
const withAhead = (recorded: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...recorded].map(([identity, version]) => [identity, Math.max(version, ahead().get(identity) ?? 0)]));

/** What is wrong with a key: it has a small prime factor, or shares a prime with other keys. */
export type Weakness = "small-factor" | Sharing;

/** What a comparison of keys has found. */
export interface KeyComparison {
  /** What is wrong with keys, by their identity. */
  weak: Map<string, Weakness>;
  /** The version of the products up to which each sound key is now compared, by its identity. */
  versions: Map<string, number>;
  /** Records the comparison, so that the next one of these keys is short. */
  save: (db: DbOrTrx, now: Date) => Promise<void>;
}

/**
 * Looks for small prime factors of keys, and compares them with every stored key. The first comparison of a key is complete; later ones
 * cover only what has changed since. Runs outside transactions. docs/decisions/0041 states the cost.
 */
export async function findWeakKeys(all: readonly ComparedKey[]): Promise<KeyComparison> {
  const keys = [...new Map(all.map((key) => [key.keyIdentity, key])).values()];
  const others = await extendWhenMany(Math.ceil(MOST_PAIRS / Math.max(1, keys.length)));
  const recorded = await listComparisons(getDb(), identitiesOf(keys));
  const known = withAhead(recorded);
  const weak = new Map<string, Weakness>();
  for (const { keyIdentity } of await withSmallFactor(keys.filter((key) => !known.has(key.keyIdentity))))
    weak.set(keyIdentity, "small-factor");
  const compared = keys
    .filter(({ keyIdentity }) => !weak.has(keyIdentity))
    .map((key) => ({ ...key, known: known.get(key.keyIdentity) ?? 0 }));
  const sharings: Sharings = new Map();
  compareWithStored(compared, others, sharings);
  // The products are read later, so a key that is added to one in the meantime is found there. They are read in the order of their versions, so
  // a change during the comparison has a higher version and is compared again.
  const version = await compareWithProducts(getDb(), compared, sharings, inBackground);
  const sound = identitiesOf(compared).filter((identity) => !sharings.has(identity));
  const changed = sound.filter((identity) => (recorded.get(identity) ?? -1) < version);
  for (const [keyIdentity, sharing] of sharings) weak.set(keyIdentity, sharing);
  return {
    weak,
    versions: new Map(sound.map((identity) => [identity, Math.max(version, known.get(identity) ?? 0)])),
    save: (db, now) => saveComparisons(db, changed, version, now),
  };
}

/** Looks for what is wrong with a key as `findWeakKeys` does, and records that it was compared. Returns what is wrong, or null. */
export async function compareKey(key: ComparedKey, now = new Date()): Promise<Weakness | null> {
  const { weak, save } = await findWeakKeys([key]);
  await withoutWaitingForDisk((db) => save(db, now));
  return weak.get(key.keyIdentity) ?? null;
}

/**
 * Compares keys with what has changed since `findWeakKeys`: with the stored keys that are in no product, and with the products that changed
 * after each key was compared. Changes nothing, so a transaction that decides about keys calls it. When two keys that share a prime are
 * decided at the same time, the comparison of the key that is stored later finds the other one.
 *
 * @param versions The versions of `findWeakKeys`. Without them, those that were recorded are read.
 * @param findSuspects As for `compareWithProducts`.
 */
export async function compareAgain(
  db: DbOrTrx,
  keys: readonly ComparedKey[],
  versions?: ReadonlyMap<string, number>,
  findSuspects?: FindSuspects,
): Promise<Sharings> {
  if (keys.length === 0) return new Map();
  // The new keys come first: a key that is added to a product in the meantime is then found there.
  const sharings = await findAmongNew(db, keys);
  const known = versions ?? (await listComparisons(db, identitiesOf(keys)));
  await compareWithProducts(
    db,
    keys.map((key) => ({ ...key, known: known.get(key.keyIdentity) ?? 0 })),
    sharings,
    findSuspects,
  );
  return sharings;
}
