// npm run bench [NAME …]: measures, each subject in a process of its own on data of its own, and prints plain lines.
// With `-- --small` on next to nothing, which measures nothing but shows that every bench still runs.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { ensureBuilt } from "./build.mjs";

const root = join(import.meta.dirname, "..");
const folder = join(root, "tests/bench");
const isSmall = process.argv.includes("--small");
const wanted = process.argv.slice(2).filter((word) => word !== "--small");
/** For `--small`: the variables that the benches read, which are said to be of other sizes in the README. */
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
ensureBuilt(["server", "command-line"]);
for (const file of chosen) {
  process.stdout.write(`\n— ${file.replace(".bench.ts", "")}\n`);
  const { status } = spawnSync(process.execPath, ["--import", "tsx", join(folder, file)], {
    stdio: "inherit",
    env: { ...(isSmall && SMALL), ...process.env, NODE_ENV: "production" }, // React is read before a bench can say so
  });
  if (status !== 0) process.exit(status ?? 1);
}
