import { vatOn } from "~/lib/money";

/** Returns the label of a validity period: '1 year', '2 years'. */
export const yearsText = (years: number): string => `${years} ${years === 1 ? "year" : "years"}`;

export interface Price {
  /** The price before the discount. */
  priceCents: number;
  discountCents: number;
  /** The amount to pay without VAT. */
  netCents: number;
}

/** Returns the price of a certificate: price per year × years − discount, never below 0. All amounts are in integer cents. */
export function certificatePrice(order: { perYearCents: number; years: number; discountCents: number }): Price {
  const priceCents = order.perYearCents * order.years;
  const discountCents = Math.min(Math.max(order.discountCents, 0), priceCents);
  return { priceCents, discountCents, netCents: priceCents - discountCents };
}

/** Returns the price of codes: price per code × quantity. All amounts are in integer cents. */
export function codePrice({ perCodeCents, quantity }: { perCodeCents: number; quantity: number }): Price {
  const priceCents = perCodeCents * quantity;
  return { priceCents, discountCents: 0, netCents: priceCents };
}

export interface Vat {
  /** A fraction such as 0.2. */
  vatRate: number;
  vatCents: number;
  totalCents: number;
  /** Why no VAT is charged; "" where VAT is charged. */
  note: string;
}

const NO_VAT = {
  reverseCharge: "Reverse charge: the customer accounts for the VAT.",
  outsideScope: "Outside the scope of UK VAT.",
};

const CREDITED_REVERSE_CHARGE = "Reverse charge: the customer adjusts the VAT accounted for.";

/** Returns the note for the credit note of an invoice with this note. */
export const noteWhenCredited = (note: string): string =>
  note === NO_VAT.reverseCharge ? CREDITED_REVERSE_CHARGE : note;

/** Returns a text that identifies the amounts of an order, so that it is placed only at the amounts that its page showed. */
export const amountsName = (netCents: number, { vatCents }: Pick<Vat, "vatCents">): string => `${netCents} ${vatCents}`;

/**
 * Returns the VAT by the country of the invoice address (PUR-09): at `rate` in Great Britain, reverse charge in the EU, otherwise outside
 * the scope of UK VAT.
 */
export function vatFor(invoice: {
  country: { iso: string; euMember: boolean } | null;
  netCents: number;
  rate: number;
}): Vat {
  const { country, netCents, rate } = invoice;
  if (country?.iso === "GB") {
    const vatCents = vatOn(netCents, rate);
    return { vatRate: rate, vatCents, totalCents: netCents + vatCents, note: "" };
  }
  const note = country === null ? "" : country.euMember ? NO_VAT.reverseCharge : NO_VAT.outsideScope;
  return { vatRate: 0, vatCents: 0, totalCents: netCents, note };
}
