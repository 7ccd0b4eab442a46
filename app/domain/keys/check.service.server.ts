import { setImmediate as othersTurn } from "node:timers/promises";
import { checkKey } from "~/ca/csr/check-key.server";
import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { type Csr, readCsr } from "~/ca/csr/read.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { findComparison } from "~db/repositories/key-comparisons.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import { listKeysInForce } from "~db/repositories/key-holders.server";
import { findListOfKey } from "~db/repositories/listed-keys.server";
import { compareAgain } from "./key-comparison.service.server";
import { isCertifiedForAnother } from "./key-use.policy";
import { hasFactorBelowLimit } from "./small-factors.server";

const PAGE = 200;

type StoredKey = Awaited<ReturnType<typeof listKeysInForce>>[number];

/** A key that the current rules would refuse. */
export interface BadKey extends Pick<StoredKey, "id" | "status" | "commonName"> {
  message: string;
}

const OF_SEVERAL = "The key has certificates of several companies: nobody knows who has the private key.";

/**
 * Returns a sentence when the key has a small factor or shares a prime with other keys. A key that has been compared before is compared
 * only with what has changed since.
 */
async function factorProblems({ publicKey, keyIdentity }: Csr): Promise<string[]> {
  if (publicKey.algorithm !== "RSA") return [];
  const { modulus } = publicKey;
  const known = await findComparison(getDb(), keyIdentity);
  if (known === null && (await hasFactorBelowLimit(modulus))) return ["The modulus has a prime factor below 2^24."];
  const sharings = await compareAgain(getDb(), [{ keyIdentity, modulus }]);
  return sharings.size === 0 ? [] : ["The key shares a prime factor with another key."];
}

async function problemsOf({ companyId, csr, keyIdentity }: StoredKey): Promise<string[]> {
  const read = readCsr(csr);
  if (!read.ok) return [read.message];
  const rules = checkKey(read.csr.publicKey, getConfig().certificates).map(({ message }) => message);
  if (rules.length > 0) return rules;
  if (await isKeyBlocked(getDb(), keyIdentity)) return ["The key is blocked."];
  const list = await findListOfKey(getDb(), listFingerprints(read.csr));
  if (list !== null) return [`The key is on the list '${list}' of known bad keys.`];
  const holders = await listKeyHolders(getDb(), keyIdentity);
  if (holders.some((holder) => isCertifiedForAnother(holder, companyId))) return [OF_SEVERAL];
  return factorProblems(read.csr);
}

/**
 * Applies the current rules and lists to the keys of open orders and of certificates in force. Calls `onBad` for every refused key. Changes
 * nothing.
 */
export async function checkStoredKeys(onBad: (key: BadKey) => void): Promise<{ checked: number; bad: number }> {
  const result = { checked: 0, bad: 0 };
  for (let after = 0; ;) {
    const keys = await listKeysInForce(getDb(), after, PAGE);
    for (const key of keys) {
      const [message] = await problemsOf(key);
      result.checked += 1;
      after = key.id;
      await othersTurn();
      if (message === undefined) continue;
      result.bad += 1;
      onBad({ id: key.id, status: key.status, commonName: key.commonName, message });
    }
    if (keys.length < PAGE) return result;
  }
}
