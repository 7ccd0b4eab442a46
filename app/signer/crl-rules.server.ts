import { countEntries, readTbsCrl } from "~/ca/crl/tbs.server";
import { SIGNER_CLOCK_TOLERANCE_MS, type ReadRequest } from "./certificate-rules.server";
import { type SigningIssuer } from "./issuers.server";
import { type SignedContent } from "./journal-entry.server";
import { type Ledger } from "./ledger.server";
import { Refusal, requireRule } from "./refusal.server";

const DAY = 24 * 60 * 60_000;
/** How long a CRL may be valid, in milliseconds. */
export const LONGEST_CRL_MS = { base: 7 * DAY, delta: DAY };
/** Two CRLs that are made at once may be signed in the other order. */
const EARLIER_MS = 60_000;

/**
 * Reads the TBSCertList of a base or delta CRL and checks every rule that depends on nothing but its bytes.
 *
 * @throws Refusal `refused` with the rule that is broken, and CaError `malformed` for bytes that are no CRL of this CA.
 */
export async function readCrlRequest(tbs: Uint8Array, issuer: SigningIssuer): Promise<ReadRequest> {
  const { number, baseNumber, thisUpdate, nextUpdate, entries } = readTbsCrl(tbs, issuer.issuer, issuer.hash);
  const isDelta = baseNumber !== null;
  const longest = LONGEST_CRL_MS[isDelta ? "delta" : "base"];
  const life = nextUpdate.getTime() - thisUpdate.getTime();
  requireRule(life > 0, "The CRL ends before it begins.");
  requireRule(life <= longest, `The CRL is valid for longer than ${isDelta ? "24 hours" : "7 days"}.`);
  requireRule(baseNumber === null || baseNumber <= number, "The delta CRL refers to a base CRL with a higher number.");
  return {
    content: {
      kind: isDelta ? "delta-crl" : "crl",
      issuer: issuer.name,
      serial: number.toString(),
      subject: issuer.subject,
      thisUpdate: thisUpdate.toISOString(),
      entries: await countEntries(entries),
    },
    certified: null,
    checkTimes: (now) =>
      requireRule(
        Math.abs(thisUpdate.getTime() - now.getTime()) <= SIGNER_CLOCK_TOLERANCE_MS,
        `The CRL is of ${thisUpdate.toISOString()}, and the clock of the signer is at ${now.toISOString()}.`,
      ),
  };
}

/**
 * Throws a Refusal when a CRL would go back behind the last one that the signer signed: `older-crl` when its number is lower, and `refused`
 * when it is dated back.
 */
export function requireForward(
  ledger: Ledger,
  { issuer, serial, thisUpdate = "" }: Omit<SignedContent, "authority">,
): void {
  const last = ledger.findLastCrl(issuer);
  if (!last) return;
  if (BigInt(serial) < last.number)
    throw new Refusal(
      "older-crl",
      `The CRL has the number ${serial}, but the signer has signed number ${last.number} of '${issuer}'.`,
    );
  requireRule(
    Date.parse(thisUpdate) >= last.thisUpdate - EARLIER_MS,
    `The CRL is of ${thisUpdate}, but the signer has signed one of '${issuer}' of ${new Date(last.thisUpdate).toISOString()}.`,
  );
}
