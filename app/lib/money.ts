const euro = new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" });

/** Formats integer cents as euro with two decimals, en-GB: 29000 gives "€290.00". */
export const formatEuro = (cents: number): string => euro.format(cents / 100);

/** Formats a discount in cents with a minus sign: 5000 gives "−€50.00", 0 gives "€0.00". */
export const formatDiscount = (cents: number): string => (cents > 0 ? `−${formatEuro(cents)}` : formatEuro(0));

const sterling = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" });

/** Formats integer pence as pounds with two decimals, en-GB. */
export const formatSterling = (pence: number): string => sterling.format(pence / 100);

/**
 * Reads a typed amount in euro ("50", "49.5", "49.50") as integer cents. Returns null for anything else, including signs, commas and
 * exponents.
 */
export function readEuro(text: string): number | null {
  const [, euros, cents = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return euros === undefined ? null : Number(euros) * 100 + Number(cents.padEnd(2, "0"));
}

/** Returns the VAT on a net amount. Both are integer cents; the VAT is rounded half up once. `rate` is a fraction (0.2). */
export const vatOn = (netCents: number, rate: number): number =>
  Math.floor((netCents * Math.round(rate * 10_000)) / 10_000 + 0.5);
