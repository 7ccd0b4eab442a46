import { useState } from "react";
import { readQuantity } from "~/domain/codes/purchase/fields";
import { codePrice } from "~/domain/orders/price.policy";

interface Offer {
  values: Readonly<Record<string, string>>;
  /** Integer cents per code, by type. */
  prices: Readonly<Record<string, number>>;
}

/**
 * Returns the price of the order with the current values of the form, or null until a type is chosen. With scripts the price follows the
 * fields: put `onChange` on an element around the form.
 */
export function useCodePrice({ values, prices }: Offer) {
  const [changed, setChanged] = useState<Record<string, string>>({});
  const { productType = "", quantity: typed = "" } = { ...values, ...changed };
  const perCodeCents = prices[productType];
  const quantity = readQuantity(typed);
  const cost = perCodeCents === undefined ? null : { perCodeCents, quantity, total: totalOf(perCodeCents, quantity) };

  const change = (name: string, value: string) => setChanged((before) => ({ ...before, [name]: value }));
  const onChange = ({ target }: React.FormEvent<HTMLElement>) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    if (target.name === "productType" || target.name === "quantity") change(target.name, target.value);
  };
  return { cost, change, onChange };
}

const totalOf = (perCodeCents: number, quantity: number | null) =>
  quantity === null ? null : codePrice({ perCodeCents, quantity }).netCents;
