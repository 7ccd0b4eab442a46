import { scaleBand, scaleLinear } from "d3-scale";

/** A value and its label. */
export interface Amount {
  label: string;
  /** Null where nothing can be said, such as the median of nothing. */
  value: number | null;
  /** The list of what the bar counts, for those who may open it. */
  to?: string;
}

/** A chart in the units of an SVG. The bars are below each other, between their labels and their numbers. */
export interface BarChart {
  width: number;
  height: number;
  bars: (Amount & { x: number; y: number; width: number; height: number })[];
}

/** The width, in units of the SVG, at which letters are readable on a narrow screen. */
const WIDTH = 360;
const ROW = 24;
const LABELS = 112;
const NUMBERS = 48;

/** Returns bars in order, with the same left edge. The longest bar fills the space between labels and numbers. */
export function barChart(amounts: readonly Amount[]): BarChart {
  const height = ROW * amounts.length;
  const down = scaleBand<number>(amounts.keys(), [0, height]).padding(0.25);
  const along = scaleLinear([0, Math.max(1, ...amounts.map(({ value }) => value ?? 0))], [0, WIDTH - LABELS - NUMBERS]);
  const bars = amounts.map((amount, index) => ({
    ...amount,
    x: LABELS,
    y: down(index) ?? 0,
    width: along(amount.value ?? 0),
    height: down.bandwidth(),
  }));
  return { width: WIDTH, height, bars };
}
