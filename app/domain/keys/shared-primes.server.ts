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

/** What a product has besides the key itself, as far as its request tells. */
const otherFactors = ({ modulus }: ComparedKey, { id, product }: Product, ownProductId: number | null): bigint => {
  const whole = bigIntOf(product);
  return id === ownProductId && whole % modulus === 0n ? whole / modulus : whole;
};

/** A product without a modulus, however often it was multiplied in. */
function without(product: bigint, modulus: bigint): bigint {
  let rest = product;
  while (rest % modulus === 0n) rest /= modulus;
  return rest;
}

/**
 * The keys of one product that share a prime with the key; null when none does. The modulus itself is no reason, also where its request
 * is noted elsewhere; a shared prime of a key without a request is one.
 */
async function findInProduct(db: DbOrTrx, key: ComparedKey, { id, product }: Product): Promise<string[] | null> {
  const found = identitiesSharing(key, await listInProduct(db, id));
  if (found.length > 0) return found;
  return sharesPrime(key.modulus, [without(bigIntOf(product), key.modulus)]) ? [] : null;
}

/**
 * Compares a key with every stored one that is in no product, and with the products that changed after a version; 0 for all of them. About
 * 4 ms for 1,000 keys. Returns null when it shares no prime.
 */
export async function findSharing(db: DbOrTrx, key: ComparedKey, afterVersion: number): Promise<Sharing | null> {
  // The new keys come first: one that gets into a product meanwhile is then found there.
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
