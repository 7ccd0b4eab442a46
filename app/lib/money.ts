const euro = new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" });

/** Shows integer cents as euro, two decimals, en-GB: 29000 → "€290.00". */
export const formatEuro = (cents: number): string => euro.format(cents / 100);

/** VAT on a net amount: integer cents in, integer cents out, rounded half up once. `rate` is a fraction (0.2). */
export const vatOn = (netCents: number, rate: number): number =>
  Math.floor((netCents * Math.round(rate * 10_000)) / 10_000 + 0.5);
