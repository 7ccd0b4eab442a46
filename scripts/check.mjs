// npm run check: what people run while they work. Types, lint, format, dependency rules, unit and SQLite integration tests.
// npm run check -- PATH …: the same of these files and folders, with the tests in them and those that import them.
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { bin, forgetReports, stage, staticChecks, summarise, testStage } from "./stages.mjs";

const root = join(import.meta.dirname, "..");
const projects = ["--project", "unit", "--project", "sqlite"];
const quick = ["unit", "ca", "components", "integration"].map((name) => `tests/${name}/`);
/** What the tests on SQLite have besides: with other programs, for minutes, or against a running portal. */
const slow = ["cli", "crash", "interop", "sqlite"].map((name) => `tests/${name}/`);

/** Paths as they are below the project, however they were written. Ends the process when one is missing. */
function existing(given) {
  const paths = given.map((path) => relative(root, resolve(process.env.INIT_CWD ?? ".", path)));
  const missing = paths.filter((path) => !existsSync(join(root, path)));
  for (const path of missing) process.stderr.write(`There is no file or folder ${path}.\n`);
  if (missing.length > 0) process.exit(1);
  return paths;
}

const isIn = (folders) => (path) => folders.some((folder) => `${path}/`.startsWith(folder));

const paths = existing(process.argv.slice(2));
if (paths.length > 0) {
  await staticChecks(paths);
  const tests = paths.filter(isIn([...quick, ...slow]));
  const others = paths.filter((path) => !tests.includes(path));
  const without = slow.flatMap((folder) => ["--exclude", `${folder}**`]);
  if (tests.length > 0) await stage("tests", bin("vitest"), ["run", ...projects, ...tests]);
  if (others.length > 0) {
    const args = ["related", "--run", "--passWithNoTests", ...projects, ...without, ...others];
    await stage("tests that import these files", bin("vitest"), args);
  }
} else {
  forgetReports();
  await staticChecks();
  await testStage("unit and integration tests on SQLite", "check", [...projects, ...quick]);
  summarise(["check"]);
}
