// What `npm run bench` does with the measurements of its benches: a table, and a JSON file with the commit and the machine.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import process from "node:process";

const git = (...args) => spawnSync("git", args, { encoding: "utf8" }).stdout?.trim() ?? "";

/** Returns a number with at most three significant digits, without an exponent. */
const short = (value) =>
  (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString("en");

/**
 * Reads the lines that `report` and `reportVersion` (tests/bench/report.ts) have written to a file. Returns the rows in their order, and
 * the versions of databases and other programs.
 */
export function readReport(file) {
  const found = readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return {
    rows: found.flatMap(({ row }) => row ?? []),
    versions: found.flatMap(({ version }) => version ?? []),
  };
}

/** Returns lines of cells as a Markdown table. The first line is the heading. */
function markdown(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const text = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`);
  return [text[0], `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...text.slice(1)].join("\n");
}

/** Returns the measurements as a Markdown table, which people can also read as it is. */
export function tableOf(rows) {
  return markdown([
    ["Work", "Measured", "Compared with", "Ratio", "Must", "Met"],
    ...rows.map(({ name, measured, unit, comparedWith, ratio, must, isMet }) => [
      name,
      `${short(measured)} ${unit}`,
      comparedWith ? `${comparedWith.name}: ${short(comparedWith.value)} ${unit}` : "",
      ratio?.toFixed(2) ?? "",
      must ?? "",
      isMet === undefined ? "" : isMet ? "yes" : "no",
    ]),
  ]);
}

/** Returns how the measurements grow with the number of rows as a Markdown table, or "" when none of them says so. */
export function growthOf(rows) {
  const growing = rows.filter(({ growth }) => growth);
  if (growing.length === 0) return "";
  const sizes = [...new Set(growing.flatMap(({ growth }) => Object.keys(growth)))].sort((a, b) => a - b);
  return markdown([
    ["Work", ...sizes.map((size) => Number(size).toLocaleString("en"))],
    ...growing.map(({ name, unit, growth }) => [
      name,
      ...sizes.map((size) => (growth[size] === undefined ? "" : `${short(growth[size])} ${unit}`)),
    ]),
  ]);
}

/** Returns where and from what the benches run. Call it when they are built, because the working tree may change while they run. */
export const conditions = () => ({
  commit: git("rev-parse", "HEAD"),
  isChanged: git("status", "--porcelain", "--untracked-files=no") !== "",
  date: new Date().toISOString(),
  machine: {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? "",
    memoryMB: Math.round(totalmem() / 2 ** 20),
    system: `${type()} ${release()}`,
  },
  node: process.version,
});
