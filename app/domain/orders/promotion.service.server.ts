import { consumeTry } from "~/domain/limits/tries.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { findPromotionCode } from "~db/repositories/promotion-codes.server";
import {
  isPromotionLength,
  type Promotion,
  type PromotionRefusal,
  promotionRefusal,
  refusalText,
} from "./promotion.policy";

export interface PromotionCheck {
  /** The code when it can be used, or could be used with a longer validity period, as `refusal` then says; else null. */
  promotion: Promotion | null;
  refusal: PromotionRefusal | null;
  /** The message for `refusal`. */
  problem: string | null;
  discountCents: number;
}

const problemOf = (refusal: PromotionRefusal | null, typed: string) => refusal && refusalText(refusal, typed);

const none = (refusal: PromotionRefusal | null, typed: string): PromotionCheck => ({
  promotion: null,
  refusal,
  problem: problemOf(refusal, typed),
  discountCents: 0,
});

/**
 * Consumes one of the tries that an account has for promotion codes. An empty field needs none. Throws a PortalError (429) when none is
 * left. Must not be called inside a transaction.
 */
export async function consumePromotionTry(userId: number, typed: string): Promise<void> {
  if (typed.trim() !== "") await consumeTry("promotion-account", userId);
}

/**
 * Looks up a promotion code that was counted when it was typed (`consumePromotionTry`). A code of a wrong length is not looked up, and the
 * discount is 0 (PUR-07).
 */
export async function checkPromotion(
  db: DbOrTrx,
  typed: string,
  years: number,
  now = new Date(),
): Promise<PromotionCheck> {
  if (typed === "") return none(null, typed);
  if (!isPromotionLength(typed)) return none("length", typed);
  const stored = await findPromotionCode(db, typed);
  const refusal = promotionRefusal(typed, stored, years, now);
  if (!stored || (refusal !== null && refusal !== "exceedsDuration")) return none(refusal, typed);
  const promotion = { code: stored.code, valueCents: stored.valueCents, months: stored.months };
  const discountCents = refusal ? 0 : stored.valueCents;
  return { promotion, refusal, problem: problemOf(refusal, typed), discountCents };
}

export type PromotionFinding = Pick<PromotionCheck, "promotion" | "problem">;

/**
 * Looks up a code for any validity period while it is typed, and consumes a try. The page compares the periods itself, and Next checks them
 * again. Throws a PortalError (429) when the account has no try left.
 */
export async function lookUpPromotion(userId: number, typed: string, now = new Date()): Promise<PromotionFinding> {
  await consumePromotionTry(userId, typed);
  const { promotion, problem } = await checkPromotion(getDb(), typed, Infinity, now);
  return { promotion, problem };
}

/**
 * Returns the value of a code for any validity period, and whether it was used already (PUR-07, API-03). Consumes a try. Throws a
 * PortalError (429) when the account has none left.
 */
export async function findDiscount(
  userId: number,
  typed: string,
  now = new Date(),
): Promise<{ discountCents: number; isUsed: boolean }> {
  await consumePromotionTry(userId, typed);
  const { refusal, discountCents } = await checkPromotion(getDb(), typed, Infinity, now);
  return { discountCents, isUsed: refusal === "used" };
}
