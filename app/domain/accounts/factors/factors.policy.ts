import { DAY } from "~/lib/dates";
import { type Proof, type StaffRight } from "~db/tables";
import { isStaff } from "../rights.policy";

/** How long a proof of who the user is counts for tasks that ask for a fresh one, in minutes. */
export const PROOF_MINUTES = 10;

/** How long a login waits for the second factor, in minutes. */
export const PENDING_MINUTES = 10;

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
};

interface Obliged {
  rights: readonly StaffRight[];
  factorAskedAt: string | null;
}

/** Returns when the days of grace end in which staff may log in without a second factor. */
export const factorDueAt = (factorAskedAt: string, graceDays: number): Date =>
  new Date(Date.parse(factorAskedAt) + graceDays * DAY);

/** Returns whether an account without a factor needs one now. `factorAskedAt` is null for accounts that have one. */
export const isFactorOverdue = ({ rights, factorAskedAt }: Obliged, graceDays: number, now: Date): boolean =>
  isStaff({ rights }) && factorAskedAt !== null && factorDueAt(factorAskedAt, graceDays).getTime() <= now.getTime();

/** Returns whether a proof is fresh. The password is no proof for an account that has a factor. */
export const isFresh = (proof: { at: string; by: Proof } | null, hasFactor: boolean, now: Date): boolean =>
  proof !== null &&
  !(hasFactor && proof.by === "password") &&
  Date.parse(proof.at) > now.getTime() - PROOF_MINUTES * 60_000;
