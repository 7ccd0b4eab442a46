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

/** Products that are held in memory: 0.5 MB, and some 10 ms of work until others get their turn. */
const PAGE = 8;
/** Requests that are read at a time. */
const REQUESTS = 200;

/** An RSA key that is compared with others. */
export interface ComparedKey {
  keyIdentity: string;
  modulus: bigint;
}

/** What was found: the other keys that share a prime with the compared one. */
export interface Sharing {
  keyIdentities: string[];
}

interface Product {
  id: number;
  product: Buffer;
}

/** The identities of the other keys among these requests that share a prime with the key. */
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

/** Keys that are in no product yet. */
async function findAmongNew(db: DbOrTrx, key: ComparedKey): Promise<string[]> {
  const found: string[] = [];
  for (let after = 0; ;) {
    const requests = await listWithoutProduct(db, after, REQUESTS);
    found.push(...identitiesSharing(key, requests));
    if (requests.length < REQUESTS) return found;
    after = requests.at(-1)?.id ?? after;
  }
}

/** A product without the modulus of the key itself, which shares its primes with itself. */
const withoutKey = ({ modulus }: ComparedKey, { id, product }: Product, ownProductId: number | null): bigint => {
  const whole = bigIntOf(product);
  return id === ownProductId && whole % modulus === 0n ? whole / modulus : whole;
};

/** The keys of one product that share a prime with the key; null when none does. A key without a request any more counts, too. */
async function findInProduct(db: DbOrTrx, key: ComparedKey, product: Product): Promise<string[] | null> {
  // Asked again: the key itself may have been multiplied in meanwhile.
  const others = withoutKey(key, product, await findProductOfKey(db, key.keyIdentity));
  if (!sharesPrime(key.modulus, [others])) return null;
  return identitiesSharing(key, await listInProduct(db, product.id));
}

/**
 * Compares a key with every stored one that is in no product, and with the products that changed after a version; 0 for all of them. About
 * 4 ms for 1,000 keys. Out: null when it shares no prime.
 */
export async function findSharing(db: DbOrTrx, key: ComparedKey, afterVersion: number): Promise<Sharing | null> {
  // The new keys come first: one that gets into a product meanwhile is then found there.
  const keyIdentities = await findAmongNew(db, key);
  let isShared = keyIdentities.length > 0;
  const ownProductId = await findProductOfKey(db, key.keyIdentity);
  for (let after = afterVersion; ;) {
    const products = await listProducts(db, after, PAGE);
    const others = products.map((product) => withoutKey(key, product, ownProductId));
    if (sharesPrime(key.modulus, others))
      for (const product of products) {
        const found = await findInProduct(db, key, product);
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
