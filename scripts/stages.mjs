// The stages of `npm run check` and `npm test`: what each one runs, how long it took, and what it found.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { CLIENT_TYPES, ensureBuilt } from "./build.mjs";

const root = join(import.meta.dirname, "..");
const CACHE = "node_modules/.cache";
const RESULTS = "test-results";
process.chdir(root);

export const bin = (name) => `node_modules/.bin/${name}`;
const times = [];

/** Runs a program. Resolves with its exit code and, when `isQuiet` is set, with what it printed. */
function run(command, args, { env = {}, isQuiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = isQuiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"];
    const child = spawn(command, args, { stdio, env: { ...process.env, ...env } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs one program as a stage. Ends this process when it fails. */
export async function stage(title, command, args, env = {}) {
  process.stdout.write(`\n— ${title}\n`);
  const started = Date.now();
  const { code } = await run(command, args, { env });
  times.push([title, Date.now() - started]);
  if (code !== 0) end(code);
}

/** Runs programs at the same time as one stage and prints the result of each. Ends this process when one has failed. */
export async function stageOf(title, programs) {
  process.stdout.write(`\n— ${title}: ${programs.map(([name]) => name).join(", ")}\n`);
  const started = Date.now();
  const results = await Promise.all(
    programs.map(async ([name, command, args, env]) => {
      const begun = Date.now();
      const { code, output } = await run(command, args, { env, isQuiet: true });
      process.stdout.write(`${code === 0 ? "ok" : "failed"}: ${name}, ${seconds(Date.now() - begun)}\n`);
      if (code !== 0) process.stdout.write(output);
      return code;
    }),
  );
  times.push([title, Date.now() - started]);
  const failed = results.find((code) => code !== 0);
  if (failed !== undefined) end(failed);
}

/** Runs the checks that are not tests: types, lint, format and dependency rules. With `paths`, types, lint and format cover only these. */
export function staticChecks(paths = []) {
  mkdirSync(CACHE, { recursive: true });
  if (!existsSync(CLIENT_TYPES)) ensureBuilt(["client"]);
  return stageOf("static checks", [
    ["types and lint", "npm", ["run", "--silent", "lint", "--", "--no-error-on-unmatched-pattern", ...paths]],
    ["format", bin("oxfmt"), ["--check", "--no-error-on-unmatched-pattern", ...paths]],
    [
      "dependency rules",
      bin("depcruise"),
      ["--cache", `${CACHE}/depcruise`, "app", "db", "migrations", "cli", "server.ts"],
    ],
  ]);
}

/** Runs Vitest as a stage. `name` is the name of its report. */
export const testStage = (title, name, args, env = {}) =>
  stage(title, bin("vitest"), ["run", ...args], { ...env, TEST_REPORT: join(root, RESULTS, `${name}.json`) });

/** Removes the reports of an earlier run. */
export const forgetReports = () => rmSync(RESULTS, { recursive: true, force: true });

const readReport = (name) => {
  const path = join(RESULTS, `${name}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
};

const seconds = (ms) => `${Math.round(ms / 1000)} s`;

/** Prints the time of each stage, the ten slowest test files, and how many rows of the checklist the tests name. */
export function summarise(names) {
  const reports = names.map(readReport).filter((report) => report !== null);
  const say = (line) => process.stdout.write(`${line}\n`);
  say("\n— time of each stage");
  for (const [title, ms] of times) say(`${seconds(ms).padStart(7)}  ${title}`);
  say(`${seconds(times.reduce((sum, [, ms]) => sum + ms, 0)).padStart(7)}  together`);
  say("\n— the ten slowest test files");
  const files = reports.flatMap(({ files }) => files).sort((a, b) => b.tests - a.tests);
  for (const { project, file, tests } of files.slice(0, 10)) say(`${seconds(tests).padStart(7)}  ${file} (${project})`);
  const rows = new Set(reports.flatMap(({ rows }) => Object.keys(rows)));
  const sum = (key) => reports.reduce((all, report) => all + report[key], 0);
  say(`\n— ${rows.size} rows of the checklist are named by tests (tests and assertions about each: ${RESULTS}/*.json)`);
  say(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
}

function end(code) {
  for (const [title, ms] of times) process.stdout.write(`${seconds(ms).padStart(7)}  ${title}\n`);
  process.exit(code);
}
