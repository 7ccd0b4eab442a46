/** The messages of PUR-07, word for word. */
export const promotionMessages = {
  length: "Promotion codes must be 9 or 10 characters in length.",
  exceedsDuration: (code: string) =>
    `This promotion code ${code} exceeds the duration of the certificate. Please increase the validity period.`,
  used: (code: string) => `The promotion code ${code} you have entered has already been used.`,
  invalid: (code: string) => `The promotion code ${code} you have entered is invalid.`,
} as const;

/** Why a code is refused. */
export type PromotionRefusal = keyof typeof promotionMessages;

export const refusalText = (refusal: PromotionRefusal, code: string): string =>
  refusal === "length" ? promotionMessages.length : promotionMessages[refusal](code);

export const isPromotionLength = (code: string): boolean => code.length === 9 || code.length === 10;

/** The data of a promotion code that the page and the price calculation use. */
export interface Promotion {
  code: string;
  valueCents: number;
  months: number;
}

/** Returns whether the code requires a longer validity period, because its months exceed the chosen years. */
export const exceedsDuration = ({ months }: Promotion, years: number): boolean => months > years * 12;

interface StoredPromotion extends Promotion {
  validUntil: string | null;
  usedAt: string | null;
  withdrawnAt: string | null;
}

const isPast = (timestamp: string | null, now: Date) => timestamp !== null && Date.parse(timestamp) < now.getTime();

/**
 * Returns why a code is refused, or null. A code that is withdrawn or past its last day is answered like an unknown one.
 *
 * @param typed The code as typed.
 * @param stored The stored code; null when there is none.
 * @param years The chosen validity period.
 */
export function promotionRefusal(
  typed: string,
  stored: StoredPromotion | null,
  years: number,
  now: Date,
): PromotionRefusal | null {
  if (!isPromotionLength(typed)) return "length";
  if (!stored || stored.withdrawnAt !== null || isPast(stored.validUntil, now)) return "invalid";
  if (stored.usedAt !== null) return "used";
  return exceedsDuration(stored, years) ? "exceedsDuration" : null;
}
