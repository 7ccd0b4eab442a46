import { randomBytes } from "node:crypto";
import { insertAcmeNonce, takeAcmeNonce } from "~db/repositories/acme-nonces.server";
import { withoutWaitingForDisk } from "~db/transaction.server";
import { AcmeProblem } from "./problem";

/** How long a nonce can be used, in milliseconds. */
const NONCE_LIFE_MS = 60 * 60_000;

/** Stores a new nonce, so that any process of the portal accepts it, and returns it (RFC 8555 §6.5). */
export async function newNonce(now = new Date()): Promise<string> {
  const nonce = randomBytes(18).toString("base64url");
  const expiresAt = new Date(now.getTime() + NONCE_LIFE_MS);
  await withoutWaitingForDisk((db) => insertAcmeNonce(db, nonce, expiresAt));
  return nonce;
}

/**
 * Uses a nonce up. Whatever its request changes later cannot reach the disk before this has, so no request that changed something can be sent
 * a second time after a power failure. Throws an AcmeProblem `badNonce` unless the nonce can still be used.
 */
export async function requireNonce(nonce: string, now = new Date()): Promise<void> {
  const isForm = /^[\w-]{24}$/.test(nonce);
  if (isForm && (await withoutWaitingForDisk((db) => takeAcmeNonce(db, nonce, now)))) return;
  throw new AcmeProblem("badNonce", "The nonce is unknown, was used before or has expired. Send the request again.");
}
