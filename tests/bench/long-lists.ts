import { type Dialect } from "~db/connection.server";
import { median, processorTime, round, say, timed } from "./portal";
import { report } from "./report";

const LARGEST = Number(process.env.BENCH_ROWS ?? 1_000_000);
const FEW = 1000;
/** The sizes that are measured: 1,000 rows, ten times as many, and so on. */
const SIZES = [...[FEW, 10_000, 100_000].filter((size) => size < LARGEST), LARGEST];
const TIMES = 11;

export interface LongList {
  name: string;
  /** Makes one page. */
  load: (query: URLSearchParams) => Promise<unknown>;
  /** Every single sort order and filter that the page offers, and some combinations of them. */
  queries: { single: readonly string[]; combined?: readonly string[] };
}

/** A single sort order or filter may take this much longer with LARGEST rows than with FEW, in milliseconds. */
const MOST_SLOWER = 20;

/**
 * Returns the time of a page in milliseconds. On SQLite it is the median of the processor time, because the database runs in this process.
 * On PostgreSQL it is the least of the elapsed times, which other work on the machine disturbs least.
 */
async function measure(dialect: Dialect, load: () => Promise<unknown>): Promise<number> {
  const time = dialect === "sqlite" ? processorTime : timed;
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await load();
  const times: number[] = [];
  for (let count = 0; count < TIMES; count += 1) times.push(await time(load));
  return dialect === "sqlite" ? median(times) : Math.min(...times);
}

/**
 * Measures each page of the lists while they grow from FEW to LARGEST rows, and reports how much longer it takes at the end.
 *
 * @param fill Stores the rows with the numbers from `from` (inclusive) to `to` (exclusive).
 */
export async function measureGrowth(
  dialect: Dialect,
  lists: readonly LongList[],
  fill: (from: number, to: number) => Promise<void>,
): Promise<void> {
  const pages = lists.flatMap(({ name, load, queries: { single, combined = [] } }) =>
    [...single, ...combined].map((query) => ({
      name: `${name} of ${LARGEST}, ${dialect}, ${query || "first page"}`,
      load: () => load(new URLSearchParams(query)),
      isSingle: single.includes(query),
      growth: {} as Record<number, number>,
    })),
  );
  for (const [index, size] of SIZES.entries()) {
    const ms = await timed(() => fill(SIZES[index - 1] ?? 0, size));
    say(`${dialect}: filling up to ${size} rows took ${round(ms / 1000)} s`);
    for (const { load, growth } of pages) growth[size] = await measure(dialect, load);
  }
  for (const { name, isSingle, growth } of pages)
    report({
      name,
      measured: growth[LARGEST] ?? NaN,
      unit: "ms",
      comparedWith: { name: `of ${FEW}`, value: growth[FEW] ?? NaN },
      must: isSingle ? { of: "difference", atMost: MOST_SLOWER } : undefined,
      growth,
    });
}

/** Returns both directions of sort orders as query strings. */
export const sortedBy = (...keys: readonly string[]): string[] =>
  keys.flatMap((key) => [`sort=${key}.asc`, `sort=${key}.desc`]);
