import { type PromotionCodeState } from "./promotion-code-list";

interface Stored {
  usedAt: string | null;
  withdrawnAt: string | null;
  validUntil: string | null;
}

/** Returns the state of a code. A used code stays Used after its last day. */
export function codeState({ usedAt, withdrawnAt, validUntil }: Stored, now: Date): PromotionCodeState {
  if (usedAt !== null) return "Used";
  if (withdrawnAt !== null) return "Withdrawn";
  return validUntil !== null && Date.parse(validUntil) < now.getTime() ? "Expired" : "Unused";
}

/** Returns why a code cannot be withdrawn, or null when it can. */
export function whyNotWithdraw(state: PromotionCodeState): string | null {
  if (state === "Used") return "The promotion code has already been used.";
  return state === "Withdrawn" ? "The promotion code has already been withdrawn." : null;
}
