/** A field that a correction changed, with what it said before and says now. */
export interface Correction {
  label: string;
  from: string;
  to: string;
}

/** Returns the number of a correction as people see it: "COR-2026-0001" for correction 1 of 2026. */
export const correctionNumber = ({ year, number }: { year: number; number: number }): string =>
  `COR-${year}-${String(number).padStart(4, "0")}`;

/** Parses the JSON that is stored with a correction. */
export const parseCorrections = (json: string): Correction[] => JSON.parse(json) as Correction[];

/** Returns what a correction changed, a sentence for each field: `City: Bath → York.` */
export const correctionTexts = (changes: readonly Correction[]): string[] =>
  changes.map(({ label, from, to }) => `${label}: ${from || "–"} → ${to || "–"}.`);
