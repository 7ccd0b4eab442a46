import { type Csr } from "~/ca/csr/read.server";
import { inWorker } from "~/domain/workers/pool.server";
import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { listComparisons } from "~db/repositories/key-comparisons.server";
import { listKeysInForce } from "~db/repositories/key-holders.server";
import { compareAgain } from "./key-comparison.service.server";
import { type KeyFacts, readKeyFacts } from "./key-rules.server";
import { isCertifiedForAnother } from "./key-use.policy";
import { type ComparedKey } from "./shared-primes.server";
import { withSmallFactor } from "./small-factors.server";

/** The number of keys that are checked together. Most of the work of one of them is done in a worker thread. */
const PAGE = 50;

type StoredKey = Awaited<ReturnType<typeof listKeysInForce>>[number];

/** A key that the current rules would refuse. */
export interface BadKey extends Pick<StoredKey, "id" | "status" | "commonName"> {
  message: string;
}

const OF_SEVERAL = "The key has certificates of several companies: nobody knows who has the private key.";

/** Returns what the database knows against a key, or null. */
function problemByFacts({ isBlocked, list, holders }: KeyFacts, companyId: number): string | null {
  if (isBlocked) return "The key is blocked.";
  if (list !== null) return `The key is on the list '${list}' of known bad keys.`;
  return holders.some((holder) => isCertifiedForAnother(holder, companyId)) ? OF_SEVERAL : null;
}

/**
 * Returns a sentence for each key that has a small factor or shares a prime with other keys, by its identity. Keys that have been compared
 * before are compared only with what has changed since.
 */
async function factorProblems(keys: readonly ComparedKey[]): Promise<Map<string, string>> {
  const problems = new Map<string, string>();
  const identities = keys.map(({ keyIdentity }) => keyIdentity);
  const known = await listComparisons(getDb(), identities);
  for (const { keyIdentity } of await withSmallFactor(keys.filter((key) => !known.has(key.keyIdentity))))
    problems.set(keyIdentity, "The modulus has a prime factor below 2^24.");
  const sharings = await compareAgain(getDb(), keys, known, (input) => inWorker("suspectsAmong", input));
  for (const identity of sharings.keys()) problems.set(identity, "The key shares a prime factor with another key.");
  return problems;
}

/** A key of a certificate or an order that keeps all rules that need no database. */
export interface SoundKey extends Pick<StoredKey, "id" | "companyId" | "keyIdentity"> {
  csr: Pick<Csr, "publicKey" | "spkiDer" | "spkiSha256">;
}

/**
 * Returns a sentence for each key that is blocked or listed, has certificates of several companies, has a small factor, or shares a prime
 * with another key, by the id of its certificate.
 */
export async function problemsOfSoundKeys(keys: readonly SoundKey[]): Promise<Map<number, string>> {
  const problems = new Map<number, string>();
  if (keys.length === 0) return problems;
  const facts = await readKeyFacts(
    getDb(),
    keys.map(({ csr, keyIdentity }) => ({ ...csr, keyIdentity })),
  );
  const compared = new Map<string, ComparedKey>();
  for (const { id, companyId, keyIdentity, csr } of keys) {
    const problem = problemByFacts(facts.get(keyIdentity) as KeyFacts, companyId);
    if (problem !== null) problems.set(id, problem);
    else if (csr.publicKey.algorithm === "RSA")
      compared.set(keyIdentity, { keyIdentity, modulus: csr.publicKey.modulus });
  }
  const factors = await factorProblems([...compared.values()]);
  for (const { id, keyIdentity } of keys) {
    const problem = factors.get(keyIdentity);
    if (problem !== undefined && !problems.has(id)) problems.set(id, problem);
  }
  return problems;
}

/** Returns a problem of each of these keys that has one, by the id of its certificate. */
async function problemsOf(keys: readonly StoredKey[]): Promise<Map<number, string>> {
  const problems = new Map<number, string>();
  const { keyAlgorithms } = getConfig().certificates;
  const read = await inWorker("readKeys", { csrs: keys.map(({ csr }) => csr), policy: { keyAlgorithms } });
  const sound = keys.flatMap((key, index) => {
    const { read: result, broken } = read[index] as (typeof read)[number];
    const [problem] = result.ok ? broken : [result.message];
    if (problem !== undefined) problems.set(key.id, problem);
    return result.ok && problem === undefined ? [{ ...key, csr: result.csr }] : [];
  });
  for (const [id, problem] of await problemsOfSoundKeys(sound)) problems.set(id, problem);
  return problems;
}

/**
 * Applies the current rules and lists to the keys of open orders and of certificates in force. Calls `onBad` for every refused key. Changes
 * nothing.
 */
export async function checkStoredKeys(onBad: (key: BadKey) => void): Promise<{ checked: number; bad: number }> {
  const result = { checked: 0, bad: 0 };
  for (let after = 0; ;) {
    const keys = await listKeysInForce(getDb(), after, PAGE);
    const problems = keys.length === 0 ? new Map<number, string>() : await problemsOf(keys);
    for (const { id, status, commonName } of keys) {
      const message = problems.get(id);
      if (message !== undefined) onBad({ id, status, commonName, message });
    }
    result.checked += keys.length;
    result.bad += problems.size;
    after = keys.at(-1)?.id ?? after;
    if (keys.length < PAGE) return result;
  }
}
