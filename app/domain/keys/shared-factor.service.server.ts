import { sharedFactor } from "~/ca/csr/weak-rsa.server";
import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { bigIntOf } from "~/lib/big-integer";
import { getDb } from "~db/connection.server";
import { blockKey } from "~db/repositories/blocked-keys.server";
import { findProductOfKey, listInProduct, listProducts } from "~db/repositories/modulus-products.server";
import { inTransaction } from "~db/transaction.server";
import { modulusOf } from "./modulus-products.service.server";

/** Products that are held in memory: 0.5 MB, and 8 ms of work until others get their turn. */
const PAGE = 8;

interface Hit {
  productId: number;
  factor: bigint;
}

async function findHit(modulus: bigint, ownProductId: number | null): Promise<Hit | null> {
  for (let after = 0; ;) {
    const products = await listProducts(getDb(), after, PAGE);
    for (const { id, product } of products) {
      const factor = sharedFactor(modulus, bigIntOf(product), id === ownProductId);
      if (factor !== 1n) return { productId: id, factor };
      after = id;
    }
    if (products.length < PAGE) return null;
  }
}

/** Blocks the keys that have the factor: whoever has one of them can compute the others. What is in force is for staff to revoke. */
async function blockBroken({ productId, factor }: Hit, keyIdentity: string, now: Date): Promise<void> {
  const requests = await listInProduct(getDb(), productId);
  const broken = requests.filter((request) => {
    const modulus = request.keyIdentity === keyIdentity ? null : modulusOf(request.csr);
    return modulus !== null && modulus % factor === 0n;
  });
  await inTransaction(async (trx) => {
    for (const { id, userId, orderId, keyIdentity: brokenKey } of broken) {
      await blockKey(trx, brokenKey, "It shares a prime factor with another key.", now);
      const message =
        "Its key shares a prime factor with another key and is blocked: whoever has one can compute the other.";
      const entry = { event: "certificate.key-shares-factor", message, userId, orderId, certificateId: id };
      await recordAudit(trx, { actor: systemActor("key check"), ...entry }, now);
    }
  });
}

/**
 * Whether an RSA key shares a prime factor with the key of another stored request, as far as the job `keys` has seen them; then those
 * are blocked. About 4 ms for 1000 stored keys. In: a key whose request's signature is right, so that nobody can have others' keys blocked without
 * having broken them.
 */
export async function hasSharedFactor(modulus: bigint, keyIdentity: string, now = new Date()): Promise<boolean> {
  const hit = await findHit(modulus, await findProductOfKey(getDb(), keyIdentity));
  if (hit) await blockBroken(hit, keyIdentity, now);
  return hit !== null;
}
