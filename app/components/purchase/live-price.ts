import { useState } from "react";
import { DEFAULT_YEARS } from "~/domain/certificates/purchase/fields";
import { certificatePrice, type Price } from "~/domain/orders/price.policy";
import { exceedsDuration, type Promotion, promotionMessages } from "~/domain/orders/promotion.policy";
import { formatEuro } from "~/lib/money";
import { usePromotion } from "./promotion-lookup";

interface Offer {
  values: Readonly<Record<string, string>>;
  perYearCents: number;
  promotion: Promotion | null;
}

/**
 * Returns the price of the order with the current values of the form and for other years, and the message about its promotion code. With scripts both follow
 * the fields: put `onChange` on an element around the form.
 */
export function useLivePrice({ values, perYearCents, promotion: stored }: Offer) {
  const [changed, setChanged] = useState<Record<string, string>>({});
  const current = { ...values, ...changed };
  const years = /^\d$/.test(current.validityPeriod ?? "") ? Number(current.validityPeriod) : DEFAULT_YEARS;
  const code = (current.promoCode ?? "").trim();
  const { promotion, problem } = usePromotion(code, stored);
  const isTooLong = promotion !== null && exceedsDuration(promotion, years);
  const priceOf = (chosen: number): Price => {
    const discountCents = promotion && !exceedsDuration(promotion, chosen) ? promotion.valueCents : 0;
    return certificatePrice({ perYearCents, years: chosen, discountCents });
  };
  const price = priceOf(years);
  const given = price.discountCents > 0 ? `Promotional discount: ${formatEuro(price.discountCents)}` : "";
  const promotionText = isTooLong ? promotionMessages.exceedsDuration(code) : (problem ?? given);

  const onChange = ({ target }: React.FormEvent<HTMLElement>) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const { name, value } = target;
    if (name === "validityPeriod" || name === "promoCode") setChanged((before) => ({ ...before, [name]: value }));
  };
  return { years, price, priceOf, promotionText, onChange };
}
