// node scripts/bench-chart.mjs RESULTS.json FOLDER: draws how the time of the lists grows with their rows, from the results of
// `npm run bench office-lists -- --json RESULTS.json`. Writes one SVG for each database.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [results, folder] = process.argv.slice(2);
if (!results || !folder) throw new Error("Usage: node scripts/bench-chart.mjs RESULTS.json FOLDER");

const [WIDTH, HEIGHT] = [760, 360];
const AREA = { left: 56, right: 560, top: 24, bottom: 316 };
/** Colours that people with colour blindness can tell apart (Okabe and Ito). */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#7f7f7f"];

/** Returns the time of the slowest page of each list, by the number of rows. Combinations of filters are left out. */
function slowestPages(rows) {
  const lists = new Map();
  for (const { name, growth, must } of rows) {
    if (!growth || !must) continue;
    const [, list, database] = /^(.+) of \d+, (\w+), /.exec(name) ?? [];
    const times = lists.get(`${database}/${list}`) ?? {};
    for (const [size, ms] of Object.entries(growth)) times[size] = Math.max(times[size] ?? 0, ms);
    lists.set(`${database}/${list}`, times);
  }
  return lists;
}

const element = (name, attributes, text = "") =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${value}"`)
    .join(" ")}>${text}</${name}>`;

const label = (x, y, text, anchor = "start") => element("text", { x, y, "text-anchor": anchor }, text);

function chartOf(database, lists) {
  const sizes = Object.keys([...lists.values()][0]).map(Number);
  const most = Math.ceil(Math.max(...[...lists.values()].flatMap((times) => Object.values(times))) / 10) * 10;
  const x = (index) => AREA.left + (index * (AREA.right - AREA.left)) / Math.max(1, sizes.length - 1);
  const y = (ms) => AREA.bottom - (ms * (AREA.bottom - AREA.top)) / most;
  const grid = [0, most / 2, most].flatMap((ms) => [
    element("line", { x1: AREA.left, x2: AREA.right, y1: y(ms), y2: y(ms), stroke: "#c8c8c8" }),
    label(AREA.left - 8, y(ms) + 4, `${ms} ms`, "end"),
  ]);
  const axis = sizes.map((size, index) => label(x(index), AREA.bottom + 20, size.toLocaleString("en"), "middle"));
  const lines = [...lists].flatMap(([name, times], index) => {
    const points = sizes.map((size, place) => `${x(place)},${y(times[size]).toFixed(1)}`).join(" ");
    const stroke = COLOURS[index % COLOURS.length];
    const key = AREA.top + index * 22;
    return [
      element("polyline", { points, fill: "none", stroke, "stroke-width": 2 }),
      element("line", { x1: 580, x2: 600, y1: key, y2: key, stroke, "stroke-width": 2 }),
      label(608, key + 4, name),
    ];
  });
  const title = `The slowest page of each list by the number of rows, ${database}`;
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      "font-family": "sans-serif",
      "font-size": 12,
    },
    [
      element("title", {}, title),
      element("rect", { width: WIDTH, height: HEIGHT, fill: "#ffffff" }),
      ...grid,
      ...axis,
      label((AREA.left + AREA.right) / 2, HEIGHT - 8, "rows", "middle"),
      ...lines,
    ].join("\n"),
  );
}

const all = slowestPages(JSON.parse(readFileSync(results, "utf8")).rows);
for (const database of new Set([...all.keys()].map((key) => key.split("/")[0]))) {
  const own = [...all]
    .filter(([key]) => key.startsWith(`${database}/`))
    .map(([key, times]) => [key.split("/")[1], times]);
  writeFileSync(join(folder, `lists-${database}.svg`), `${chartOf(database, new Map(own))}\n`);
}
