import { setImmediate as othersTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { modulusOf } from "~/ca/csr/read.server";
import { sharesPrime, suspectsAmong, type SuspectsInput } from "~/ca/csr/weak-rsa.server";
import { bigIntOf } from "~/lib/big-integer";
import { type DbOrTrx } from "~db/connection.server";
import {
  listInProduct,
  listProducts,
  listProductsOfKeys,
  listWithoutProduct,
} from "~db/repositories/modulus-products.server";

/** The number of products in memory at a time: 0.5 MB, and about 10 ms of work for a key. */
const PAGE = 8;
/** The number of requests that are read at a time. */
const REQUESTS = 200;

/** An RSA key that is compared with others. */
export interface ComparedKey {
  keyIdentity: string;
  modulus: bigint;
}

/** The other keys that share a prime with the compared key. */
export interface Sharing {
  keyIdentities: string[];
}

interface Product {
  id: number;
  version: number;
  product: Buffer;
}

/** A request with its modulus, null when it has none. */
interface Request {
  keyIdentity: string;
  modulus: bigint | null;
}

/** The moduli of new keys, by identity. Each of them is compared with several keys before it is in a product. */
const moduli = new LRUCache<string, { modulus: bigint | null }>({ max: 1000 });

function requestIn({ keyIdentity, csr }: { keyIdentity: string; csr: Buffer }): Request {
  const { modulus } = moduli.get(keyIdentity) ?? { modulus: modulusOf(csr) };
  moduli.set(keyIdentity, { modulus });
  return { keyIdentity, modulus };
}

/** Returns the identities of the other keys among these requests that share a prime with the key. */
function identitiesSharing({ keyIdentity, modulus }: ComparedKey, requests: readonly Request[]): string[] {
  const others = requests.flatMap((other) =>
    other.keyIdentity === keyIdentity || other.modulus === null ? [] : [{ ...other, modulus: other.modulus }],
  );
  // Normally one comparison with all of them finds nothing.
  const isAlone = !sharesPrime(
    modulus,
    others.map((other) => other.modulus),
  );
  if (isAlone) return [];
  return others.filter((other) => sharesPrime(modulus, [other.modulus])).map((other) => other.keyIdentity);
}

/** The keys that share a prime with each compared key, by the identity of the compared key. */
export type Sharings = Map<string, Sharing>;

function addFound(sharings: Sharings, { keyIdentity }: ComparedKey, found: readonly string[]): void {
  const before = sharings.get(keyIdentity)?.keyIdentities ?? [];
  sharings.set(keyIdentity, { keyIdentities: [...new Set([...before, ...found])] });
}

/** Compares keys with these stored keys, and adds what it finds to `sharings`. */
export function compareWithStored(
  keys: readonly ComparedKey[],
  rows: readonly { keyIdentity: string; csr: Buffer }[],
  sharings: Sharings,
): void {
  const requests = rows.map(requestIn);
  for (const key of keys) {
    const found = identitiesSharing(key, requests);
    if (found.length > 0) addFound(sharings, key, found);
  }
}

/** Compares keys with the stored keys that are in no product yet. */
export async function findAmongNew(db: DbOrTrx, keys: readonly ComparedKey[]): Promise<Sharings> {
  const sharings: Sharings = new Map();
  for (let after = 0; keys.length > 0;) {
    const rows = await listWithoutProduct(db, after, REQUESTS);
    compareWithStored(keys, rows, sharings);
    if (rows.length < REQUESTS) break;
    after = rows.at(-1)?.id ?? after;
  }
  return sharings;
}

/** Returns a product without a modulus, however often the modulus was multiplied in. */
function without(product: bigint, modulus: bigint): bigint {
  let rest = product;
  while (rest % modulus === 0n) rest /= modulus;
  return rest;
}

/**
 * Returns the keys of one product that share a prime with the key, or null when there is no shared prime. The key's own modulus does not
 * count, even when its request names another product. A prime that is shared with a key without a request does count; the array is then
 * empty.
 */
async function findInProduct(db: DbOrTrx, key: ComparedKey, { id, product }: Product): Promise<string[] | null> {
  const found = identitiesSharing(key, (await listInProduct(db, id)).map(requestIn));
  if (found.length > 0) return found;
  return sharesPrime(key.modulus, [without(bigIntOf(product), key.modulus)]) ? [] : null;
}

/** A key, and the version of the products up to which it was compared before: 0 for never. */
interface KeyToCompare extends ComparedKey {
  known: number;
}

/** Says which of these keys share a prime with the products that it names. `suspectsAmong` does, and so does the worker that runs it. */
export type FindSuspects = (input: SuspectsInput) => boolean[] | Promise<boolean[]>;

/**
 * Compares keys with the products that changed after each of them was compared, and adds what it finds to `sharings`. A key takes about 4
 * ms for 1,000 keys. Returns the version of the latest change that was read, or the lowest known one when nothing changed.
 *
 * @param findSuspects Does the arithmetic. A transaction does it itself, because others wait for its end.
 */
export async function compareWithProducts(
  db: DbOrTrx,
  keys: readonly KeyToCompare[],
  sharings: Sharings,
  findSuspects: FindSuspects = suspectsAmong,
): Promise<number> {
  if (keys.length === 0) return 0;
  let owned: Map<string, number> | undefined;
  let version = Math.min(...keys.map(({ known }) => known));
  for (;;) {
    const rows = await listProducts(db, version, PAGE);
    if (rows.length === 0) break;
    owned ??= await listProductsOfKeys(
      db,
      keys.map(({ keyIdentity }) => keyIdentity),
    );
    const suspects = await findSuspects({
      products: rows.map(({ product }) => product),
      keys: keys.map(({ keyIdentity, modulus, known }) => ({
        modulus,
        first: rows.filter((row) => row.version <= known).length,
        own: rows.findIndex(({ id }) => id === owned?.get(keyIdentity)),
      })),
    });
    for (const [index, key] of keys.entries()) {
      if (!suspects[index]) continue;
      for (const row of rows.filter((one) => one.version > key.known)) {
        const found = await findInProduct(db, key, row);
        if (found !== null) addFound(sharings, key, found);
      }
    }
    version = rows.at(-1)?.version ?? version;
    if (rows.length < PAGE) break;
    await othersTurn();
  }
  return version;
}
