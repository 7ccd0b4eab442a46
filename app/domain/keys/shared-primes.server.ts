import { setImmediate as othersTurn } from "node:timers/promises";
import { sharesPrime } from "~/ca/csr/weak-rsa.server";
import { bigIntOf } from "~/lib/big-integer";
import { type DbOrTrx } from "~db/connection.server";
import {
  findProductOfKey,
  listInProduct,
  listProducts,
  listWithoutProduct,
} from "~db/repositories/modulus-products.server";
import { modulusOf } from "./modulus-products.service.server";

/** The number of products in memory at a time: 0.5 MB, and about 10 ms of work before other requests get their turn. */
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
  product: Buffer;
}

/** Returns the identities of the other keys among these requests that share a prime with the key. */
const identitiesSharing = (
  { keyIdentity, modulus }: ComparedKey,
  requests: readonly { keyIdentity: string; csr: Buffer }[],
): string[] =>
  requests
    .filter((request) => {
      const other = request.keyIdentity === keyIdentity ? null : modulusOf(request.csr);
      return other !== null && sharesPrime(modulus, [other]);
    })
    .map((request) => request.keyIdentity);

/** Returns the keys that share a prime with the key and are in no product yet. */
async function findAmongNew(db: DbOrTrx, key: ComparedKey): Promise<string[]> {
  const found: string[] = [];
  for (let after = 0; ;) {
    const requests = await listWithoutProduct(db, after, REQUESTS);
    found.push(...identitiesSharing(key, requests));
    if (requests.length < REQUESTS) return found;
    after = requests.at(-1)?.id ?? after;
  }
}

/** Returns a product without the key itself, when the key's request says that this product contains it. */
const otherFactors = ({ modulus }: ComparedKey, { id, product }: Product, ownProductId: number | null): bigint => {
  const whole = bigIntOf(product);
  return id === ownProductId && whole % modulus === 0n ? whole / modulus : whole;
};

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
  const found = identitiesSharing(key, await listInProduct(db, id));
  if (found.length > 0) return found;
  return sharesPrime(key.modulus, [without(bigIntOf(product), key.modulus)]) ? [] : null;
}

/**
 * Compares a key with every stored key that is in no product, and with the products that changed after a version (0 for all). Takes about 4
 * ms for 1,000 keys. Returns null when the key shares no prime.
 */
export async function findSharing(db: DbOrTrx, key: ComparedKey, afterVersion: number): Promise<Sharing | null> {
  // The new keys come first: a key that is added to a product in the meantime is then found there.
  const keyIdentities = await findAmongNew(db, key);
  let isShared = keyIdentities.length > 0;
  const ownProductId = await findProductOfKey(db, key.keyIdentity);
  for (let after = afterVersion; ;) {
    const products = await listProducts(db, after, PAGE);
    const others = products.map((each) => otherFactors(key, each, ownProductId));
    if (sharesPrime(key.modulus, others))
      for (const each of products) {
        const found = await findInProduct(db, key, each);
        if (found === null) continue;
        isShared = true;
        keyIdentities.push(...found);
      }
    if (products.length < PAGE) break;
    after = products.at(-1)?.version ?? after;
    await othersTurn();
  }
  return isShared ? { keyIdentities: [...new Set(keyIdentities)] } : null;
}
