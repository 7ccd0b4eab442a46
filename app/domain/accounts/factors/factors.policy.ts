import { DAY } from "~/lib/dates";
import { type Proof, type StaffRight } from "~db/tables";
import { isStaff } from "../rights.policy";

/** How long a proof of who the user is counts for tasks that ask for a fresh one, in minutes. */
export const PROOF_MINUTES = 10;

/** How long a login waits for the second factor, in minutes. */
export const PENDING_MINUTES = 10;

/** How long a browser has to answer the challenge for a passkey, in minutes. */
export const CHALLENGE_MINUTES = 5;

/** How many factors an account can have. */
export const MOST_FACTORS = 10;

/** The names of the kinds of factors. */
export const FACTOR_KINDS = { totp: "Authenticator app", passkey: "Passkey" } as const;

/** What users proved with, in words. */
export const PROOF_NAMES: Readonly<Record<Proof, string>> = {
  password: "the password",
  totp: "an authenticator app",
  passkey: "a passkey",
  "recovery-code": "a recovery code",
  "single-sign-on": "single sign-on",
  "sign-on": "single sign-on without a second factor",
};

interface Obliged {
  rights: readonly StaffRight[];
  factorAskedAt: string | null;
}

/**
 * Returns until when an account may be used without a second factor. Returns null when it need not have one, or was not asked yet.
 * `factorAskedAt` is null for accounts that have one.
 */
export const factorDueAt = ({ rights, factorAskedAt }: Obliged, graceDays: number): string | null =>
  isStaff({ rights }) && factorAskedAt !== null
    ? new Date(Date.parse(factorAskedAt) + graceDays * DAY).toISOString()
    : null;

/** Returns whether a proof is one factor only, such as the password. */
export const isOneFactor = (proof: Proof): boolean => proof === "password" || proof === "sign-on";

/** Returns whether a proof is fresh. The password, or single sign-on with one factor only, is no proof for an account that has a factor. */
export const isFresh = (proof: { at: string; by: Proof } | null, hasFactor: boolean, now: Date): boolean =>
  proof !== null &&
  !(hasFactor && isOneFactor(proof.by)) &&
  Date.parse(proof.at) > now.getTime() - PROOF_MINUTES * 60_000;
