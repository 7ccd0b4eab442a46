import { readCsr } from "~/ca/csr/read.server";
import { systemActor } from "~/domain/audit/audit.service.server";
import { log } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { listNeverCompared } from "~db/repositories/key-comparisons.server";
import { inTransaction } from "~db/transaction.server";
import { blockBrokenKeys } from "./broken-keys.service.server";
import { type BadKey, checkStoredKeys } from "./check.service.server";
import { compareKey } from "./key-comparison.service.server";
import { type KeyReport, tellStaff } from "./key-report.server";
import { proveProducts } from "./product-proof.service.server";

/**
 * The time limit, in milliseconds, for comparing keys that were stored before comparisons were recorded. The rest is compared in the
 * following nights.
 */
const COMPARING_MS = 30 * 60_000;
const PAGE = 50;

/** Compares stored keys that have never been compared, as far as time allows. Returns how many were compared. */
async function compareOldKeys(now: Date): Promise<number> {
  const until = performance.now() + COMPARING_MS;
  let compared = 0;
  for (let after = 0; ;) {
    const requests = await listNeverCompared(getDb(), after, PAGE);
    for (const { id, userId, keyIdentity, csr } of requests) {
      after = id;
      const read = readCsr(csr);
      if (!read.ok || read.csr.publicKey.algorithm !== "RSA") continue;
      const found = await compareKey({ keyIdentity, modulus: read.csr.publicKey.modulus }, now);
      compared += 1;
      if (found !== null && found !== "small-factor") {
        const finder = { userId, actor: systemActor("key check") };
        await blockBrokenKeys([keyIdentity, ...found.keyIdentities], finder, now);
      }
      if (performance.now() > until) return compared;
    }
    if (requests.length < PAGE) return compared;
  }
}

async function report(found: KeyReport, now: Date): Promise<void> {
  log().warn({ keys: found.lines }, found.subject);
  await inTransaction((trx) => tellStaff(trx, found, now));
}

const keyLine = ({ id, status, message }: BadKey): string => `Certificate ${id} (${status}): ${message}`;

/**
 * Proves that every key is in a product, compares keys that have never been compared, and applies the current rules and lists to all keys
 * in use. Problems are logged and reported to staff; the same report is sent only once. Returns the outcome in words. Throws when keys in
 * use are bad.
 */
export async function checkAllKeys(now: Date): Promise<string> {
  const { proved, missing } = await proveProducts();
  if (missing.length > 0)
    await report(
      {
        subject: "Keys were missing from the search for shared primes",
        text: "The keys of the certificates and orders below were in no product of moduli, so that new keys were not compared with them. They have been put in and are compared now.",
        lines: missing.map((id) => `Certificate ${id}`),
      },
      now,
    );
  const compared = await compareOldKeys(now);
  const bad: BadKey[] = [];
  const { checked } = await checkStoredKeys((key) => void bad.push(key));
  if (bad.length > 0) {
    const text =
      "The keys below would be refused today. Reject open orders with them, and revoke certificates in force.";
    await report({ subject: "Bad keys are in use", text, lines: bad.map(keyLine) }, now);
    throw new Error(`Bad keys: ${bad.length} of ${checked}. ${bad.slice(0, 5).map(keyLine).join(" ")}`);
  }
  return `${proved} in products, ${missing.length} were missing, ${compared} compared, ${checked} in use and sound`;
}
