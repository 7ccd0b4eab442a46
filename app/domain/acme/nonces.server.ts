import { randomBytes } from "node:crypto";
import { getDb } from "~db/connection.server";
import { insertAcmeNonce, takeAcmeNonce } from "~db/repositories/acme-nonces.server";
import { AcmeProblem } from "./problem";

/** How long a nonce can be used, in milliseconds. */
const NONCE_LIFE_MS = 60 * 60_000;

/** Stores a new nonce, so that any process of the portal accepts it, and returns it (RFC 8555 §6.5). */
export async function newNonce(now = new Date()): Promise<string> {
  const nonce = randomBytes(18).toString("base64url");
  await insertAcmeNonce(getDb(), nonce, new Date(now.getTime() + NONCE_LIFE_MS));
  return nonce;
}

/** Uses a nonce up. Throws an AcmeProblem `badNonce` unless it can still be used. */
export async function requireNonce(nonce: string, now = new Date()): Promise<void> {
  if (/^[\w-]{24}$/.test(nonce) && (await takeAcmeNonce(getDb(), nonce, now))) return;
  throw new AcmeProblem("badNonce", "The nonce is unknown, was used before or has expired. Send the request again.");
}
