import { scaleBand, scaleLinear } from "d3-scale";

/** What a bar stands for. */
export interface Amount {
  label: string;
  value: number;
}

/** A chart as numbers of an SVG's own units; `y` counts from above. */
export interface BarChart {
  width: number;
  height: number;
  bars: (Amount & { x: number; y: number; width: number; height: number })[];
  /** Lines across, with their numbers. */
  ticks: { y: number; value: number }[];
}

const WIDTH = 640;
const HEIGHT = 220;
const MARGIN = { top: 20, right: 8, bottom: 28, left: 44 };

/** Bars side by side, in order, from 0 up to a round number. */
export function barChart(amounts: readonly Amount[]): BarChart {
  const floor = HEIGHT - MARGIN.bottom;
  const most = Math.max(1, ...amounts.map(({ value }) => value));
  const across = scaleBand<number>(amounts.keys(), [MARGIN.left, WIDTH - MARGIN.right]).padding(0.25);
  const up = scaleLinear([0, most], [floor, MARGIN.top]).nice(4);
  const bars = amounts.map((amount, index) => ({
    ...amount,
    x: across(index) ?? 0,
    y: up(amount.value),
    width: across.bandwidth(),
    height: floor - up(amount.value),
  }));
  const ticks = up.ticks(4).filter(Number.isInteger);
  return { width: WIDTH, height: HEIGHT, bars, ticks: ticks.map((value) => ({ value, y: up(value) })) };
}
