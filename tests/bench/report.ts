import { appendFileSync } from "node:fs";

/** A limit that the portal must keep: of the measured value, of its ratio to what it is compared with, or of the difference of the two. */
export interface Must {
  of: "measured" | "ratio" | "difference";
  atLeast?: number;
  atMost?: number;
}

/** A measurement of a bench: a row of the table at the end of `npm run bench`. */
export interface Measurement {
  /** The work with its conditions, such as the database and the number of callers. */
  name: string;
  measured: number;
  /** The unit of `measured` and of what it is compared with, such as "/s", "ms" or "MB". */
  unit: string;
  /** Something that was measured in the same run: the raw operation, another program, or the same work with less data. */
  comparedWith?: { name: string; value: number };
  must?: Must;
  /** The same measurement by the number of rows or entries, for the charts of `docs/performance.md`. */
  growth?: Record<number, number>;
  /** What else the reader should know, such as the processor time. */
  note?: string;
}

const withSign = (value: number) => (value < 0 ? String(value) : `+${value}`);

function describeLimit({ of, atLeast, atMost }: Must, unit: string): string {
  const sign = atLeast === undefined ? "≤" : "≥";
  const limit = atLeast ?? atMost ?? NaN;
  return of === "ratio" ? `ratio ${sign} ${limit}` : `${sign} ${of === "difference" ? withSign(limit) : limit} ${unit}`;
}

/** Writes a line for `scripts/bench.mjs`, which collects what all benches have found. */
function handOver(found: Record<string, unknown>): void {
  const file = process.env.BENCH_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify(found)}\n`);
}

/** Hands over the name and version of a database or program that this bench uses. */
export const reportVersion = (version: string): void => handOver({ version });

/** Reports a measurement: prints it as a line, and hands it over for the table at the end. */
export function report(measurement: Measurement): void {
  const { name, measured, unit, comparedWith, must, note } = measurement;
  const ratio = comparedWith && measured / comparedWith.value;
  const values = { measured, ratio, difference: comparedWith && measured - comparedWith.value };
  const value = (must && values[must.of]) ?? NaN;
  const isMet = must && value >= (must.atLeast ?? -Infinity) && value <= (must.atMost ?? Infinity);
  const limit = must && describeLimit(must, unit);
  const short = (number: number) => `${Number(number.toPrecision(3))} ${unit}`;
  const parts = [
    `${name}: ${short(measured)}`,
    comparedWith && `${comparedWith.name}: ${short(comparedWith.value)}`,
    ratio && `ratio ${ratio.toFixed(2)}`,
    limit && `must be ${limit}`,
    note,
  ];
  process.stdout.write(`${parts.filter(Boolean).join("; ")}\n`);
  handOver({ row: { ...measurement, ratio, must: limit, isMet } });
}
