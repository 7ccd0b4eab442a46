import { scaleBand, scaleLinear } from "d3-scale";

/** What a bar stands for. */
export interface Amount {
  label: string;
  value: number;
}

/** A chart as numbers of an SVG's own units: bars lie below each other, between their labels and their numbers. */
export interface BarChart {
  width: number;
  height: number;
  bars: (Amount & { x: number; y: number; width: number; height: number })[];
}

/** As wide as a narrow screen shows in readable letters. */
const WIDTH = 360;
const ROW = 24;
const LABELS = 112;
const NUMBERS = 48;

/** Bars in order, all from one line; the longest one fills the place between labels and numbers. */
export function barChart(amounts: readonly Amount[]): BarChart {
  const height = ROW * amounts.length;
  const down = scaleBand<number>(amounts.keys(), [0, height]).padding(0.25);
  const along = scaleLinear([0, Math.max(1, ...amounts.map(({ value }) => value))], [0, WIDTH - LABELS - NUMBERS]);
  const bars = amounts.map((amount, index) => ({
    ...amount,
    x: LABELS,
    y: down(index) ?? 0,
    width: along(amount.value),
    height: down.bandwidth(),
  }));
  return { width: WIDTH, height, bars };
}
