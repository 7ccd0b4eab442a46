import { vatOn } from "~/lib/money";

/** The portal's caption of a validity period: 'N year' or 'N years'. */
export const yearsText = (years: number): string => `${years} ${years === 1 ? "year" : "years"}`;

export interface Price {
  /** Before the discount. */
  priceCents: number;
  discountCents: number;
  /** To pay, VAT not yet added. */
  netCents: number;
}

/** Price per year × years − discount, never below 0. All in integer cents. */
export function certificatePrice(order: { perYearCents: number; years: number; discountCents: number }): Price {
  const priceCents = order.perYearCents * order.years;
  const discountCents = Math.min(Math.max(order.discountCents, 0), priceCents);
  return { priceCents, discountCents, netCents: priceCents - discountCents };
}

/** Price per code × quantity. All in integer cents. */
export function codePrice({ perCodeCents, quantity }: { perCodeCents: number; quantity: number }): Price {
  const priceCents = perCodeCents * quantity;
  return { priceCents, discountCents: 0, netCents: priceCents };
}

export interface Vat {
  /** Fraction, e.g. 0.2. */
  vatRate: number;
  vatCents: number;
  totalCents: number;
  /** Why no VAT is charged; "" where it is. */
  note: string;
}

const NO_VAT = {
  reverseCharge: "Reverse charge: the customer accounts for the VAT.",
  outsideScope: "Outside the scope of UK VAT.",
};

const CREDITED_REVERSE_CHARGE = "Reverse charge: the customer adjusts the VAT accounted for.";

/** The same note on the credit note of an invoice that has it. */
export const noteWhenCredited = (note: string): string =>
  note === NO_VAT.reverseCharge ? CREDITED_REVERSE_CHARGE : note;

/** Names the amounts of an order, so that it is placed at those that its page showed and at no others. */
export const amountsName = (netCents: number, { vatCents }: Pick<Vat, "vatCents">): string => `${netCents} ${vatCents}`;

/** VAT by the country of the invoice address (PUR-09): GB at `rate`, the EU by reverse charge, others outside the scope. */
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
