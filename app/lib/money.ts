const euro = new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" });

/** Shows integer cents as euro, two decimals, en-GB: 29000 → "€290.00". */
export const formatEuro = (cents: number): string => euro.format(cents / 100);

/** A discount as it counts: 5000 → "−€50.00", nothing → "€0.00". */
export const formatDiscount = (cents: number): string => (cents > 0 ? `−${formatEuro(cents)}` : formatEuro(0));

const sterling = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" });

/** Shows integer pence as pounds, two decimals, en-GB. */
export const formatSterling = (pence: number): string => sterling.format(pence / 100);

/** A typed amount of euro → integer cents: "50", "49.5", "49.50"; null for anything else, also for signs, commas and exponents. */
export function readEuro(text: string): number | null {
  const [, euros, cents = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return euros === undefined ? null : Number(euros) * 100 + Number(cents.padEnd(2, "0"));
}

/** VAT on a net amount: integer cents in, integer cents out, rounded half up once. `rate` is a fraction (0.2). */
export const vatOn = (netCents: number, rate: number): number =>
  Math.floor((netCents * Math.round(rate * 10_000)) / 10_000 + 0.5);
