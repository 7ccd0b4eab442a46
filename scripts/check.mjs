// npm run check is for use while working. It checks types, lint, format and dependency rules, and runs unit and SQLite integration tests:
// the first time all of them, later those that import what has changed since the last check that passed.
// npm run check -- --all runs all of these tests.
// npm run check -- PATH … checks only these files and folders, and runs the tests in them and those nearest to them.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { changedSince, fingerprint, keepPassed } from "./changed.mjs";
import { nearestTests } from "./nearest.mjs";
import { bin, forgetReports, stage, staticChecks, summarise, testStage } from "./stages.mjs";

const root = join(import.meta.dirname, "..");
const projects = ["--project", "unit", "--project", "sqlite"];
const quick = ["unit", "ca", "components", "integration"].map((name) => `tests/${name}/`);
/** Tests on SQLite that run only when their path is given, because they need other programs, minutes, or a running portal. */
const slow = ["cli", "crash", "interop", "sqlite"].map((name) => `tests/${name}/`);

/** Returns the paths relative to the project, however they were given. Ends the process when one is missing. */
function existing(given) {
  const paths = given.map((path) => relative(root, resolve(process.env.INIT_CWD ?? ".", path)));
  const missing = paths.filter((path) => !existsSync(join(root, path)));
  for (const path of missing) process.stderr.write(`There is no file or folder ${path}.\n`);
  if (missing.length > 0) process.exit(1);
  return paths;
}

/** Returns the files below a file or folder. */
const filesIn = (path) =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesIn(join(path, name))) : [path];

const isIn = (folders) => (path) => folders.some((folder) => `${path}/`.startsWith(folder));

/** Sources and tests. Vitest knows which tests import them. */
const MODULES = /^(app|cli|client|db|tests\/(unit|ca|components|integration))\/.*\.tsx?$/;
/** Files that no module reads, or only modules that these tests do not import. */
const APART = /^(README\.md|docs|\.ci|Dockerfile|tests\/(bench|cli|crash|e2e|interop|postgres|sqlite))\b/;
/**
 * A test that contains one of these texts reads files of the project by name or runs its programs, so a change of a file that it does not
 * import can affect it.
 */
const LOOKS_AROUND = /readdir|import\((?!")|docs\/|child-programs|support\/(command|page-routes)/;

const isQuickTest = (path) => isIn(quick)(path) && /\.test\.tsx?$/.test(path);

/** Returns the tests and sources whose tests must run after these files have changed, or null for all tests. */
function concerned(changed) {
  const files = changed.filter((path) => !APART.test(path));
  if (!files.every((path) => MODULES.test(path) && existsSync(path))) return null;
  const tests = Object.keys(now).filter(isQuickTest);
  const lookers = changed.length > 0 ? tests.filter((path) => LOOKS_AROUND.test(readFileSync(path, "utf8"))) : [];
  return [...new Set([...files, ...lookers])];
}

const relatedTests = (files) => {
  const without = slow.flatMap((folder) => ["--exclude", `${folder}**`]);
  const args = ["related", "--run", "--passWithNoTests", ...projects, ...without, ...files];
  return stage("tests that import these files", bin("vitest"), args);
};

const given = process.argv.slice(2);
const paths = existing(given.filter((argument) => argument !== "--all"));
const now = fingerprint();
if (paths.length > 0) {
  await staticChecks(paths);
  const tests = paths.filter(isIn([...quick, ...slow]));
  const others = paths.filter((path) => !tests.includes(path));
  const sources = Object.keys(now).filter((path) => /\.tsx?$/.test(path));
  tests.push(...nearestTests(others.flatMap(filesIn), sources, isQuickTest));
  if (tests.length > 0) await stage("tests", bin("vitest"), ["run", ...projects, ...tests]);
} else {
  const changed = given.includes("--all") ? null : changedSince(now);
  const files = changed && concerned(changed);
  forgetReports();
  await staticChecks();
  if (files === null) await testStage("unit and integration tests on SQLite", "check", [...projects, ...quick]);
  else {
    process.stdout.write(
      `\n${changed.length} files have changed since the last check that passed (all tests: -- --all)\n`,
    );
    if (files.length > 0) await relatedTests(files);
  }
  keepPassed(now);
  summarise(["check"]);
}
