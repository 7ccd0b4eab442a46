import { type DbOrTrx, getDb } from "~db/connection.server";
import { findPromotionCode } from "~db/repositories/promotion-codes.server";
import { isPromotionLength, promotionMessages, promotionProblem, type Promotion } from "./promotion.policy";

export interface PromotionCheck {
  /** The code if it can be used, now or (`problem` says so) for a longer period. */
  promotion: Promotion | null;
  problem: string | null;
  discountCents: number;
}

const none = (problem: string | null): PromotionCheck => ({ promotion: null, problem, discountCents: 0 });

/** Looks a typed promotion code up; under 9 characters nothing is looked up and the discount is 0 (B §4). */
export async function checkPromotion(
  db: DbOrTrx,
  typed: string,
  years: number,
  now = new Date(),
): Promise<PromotionCheck> {
  if (typed === "") return none(null);
  if (!isPromotionLength(typed)) return none(promotionMessages.length);
  const stored = await findPromotionCode(db, typed);
  const problem = promotionProblem(typed, stored, years, now);
  const isUsable = problem === null || problem === promotionMessages.exceedsDuration(typed);
  if (!stored || !isUsable) return none(problem);
  const promotion = { code: stored.code, valueCents: stored.valueCents, months: stored.months };
  return { promotion, problem, discountCents: problem ? 0 : stored.valueCents };
}

export type PromotionFinding = Pick<PromotionCheck, "promotion" | "problem">;

/** A code for whatever period: the page that follows it compares the periods, and Next asks again. */
export async function lookUpPromotion(typed: string, now = new Date()): Promise<PromotionFinding> {
  const { promotion, problem } = await checkPromotion(getDb(), typed, Infinity, now);
  return { promotion, problem };
}

/** What a code is worth for whatever period, and whether it was used already (B §7, GetDiscountByPromoCode). */
export async function findDiscount(
  typed: string,
  now = new Date(),
): Promise<{ discountCents: number; isUsed: boolean }> {
  const { problem, discountCents } = await checkPromotion(getDb(), typed, Infinity, now);
  return { discountCents, isUsed: problem === promotionMessages.used(typed) };
}
