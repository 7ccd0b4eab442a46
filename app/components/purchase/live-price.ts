import { useState } from "react";
import { DEFAULT_YEARS } from "~/domain/certificates/purchase.fields";
import { certificatePrice, type Price } from "~/domain/orders/price.policy";
import { exceedsDuration, type Promotion } from "~/domain/orders/promotion.policy";

interface Offer {
  values: Readonly<Record<string, string>>;
  perYearCents: number;
  promotion: Promotion | null;
}

/** The order's price as the form stands. With scripts it follows the fields; put `onChange` on an element around the form. */
export function useLivePrice({ values, perYearCents, promotion }: Offer) {
  const [changed, setChanged] = useState<Record<string, string>>({});
  const current = { ...values, ...changed };
  const years = /^\d$/.test(current.validityPeriod ?? "") ? Number(current.validityPeriod) : DEFAULT_YEARS;
  const isApplied =
    promotion !== null && promotion.code.toUpperCase() === (current.promoCode ?? "").trim().toUpperCase();
  const discountCents = isApplied && !exceedsDuration(promotion, years) ? promotion.valueCents : 0;
  const price: Price = certificatePrice({ perYearCents, years, discountCents });

  const onChange = ({ target }: React.FormEvent<HTMLElement>) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const { name, value } = target;
    if (name === "validityPeriod" || name === "promoCode") setChanged((before) => ({ ...before, [name]: value }));
  };
  return { years, price, onChange };
}
