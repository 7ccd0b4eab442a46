// npm run check: what people run while they work. Types, lint, format, dependency rules, unit and SQLite integration tests.
// npm run check -- PATH …: lint and format of these files and folders, and the tests in them or of them, in seconds.
import process from "node:process";
import { forgetReports, staticChecks, stage, bin, summarise, testStage } from "./stages.mjs";

const paths = process.argv.slice(2);
const projects = ["--project", "unit", "--project", "sqlite"];

if (paths.length > 0) {
  await staticChecks(paths);
  const tests = paths.filter((path) => path.startsWith("tests/"));
  const sources = paths.filter((path) => !path.startsWith("tests/"));
  if (tests.length > 0) await stage("tests", bin("vitest"), ["run", ...projects, ...tests]);
  if (sources.length > 0)
    await stage("tests of the sources", bin("vitest"), ["related", "--run", ...projects, ...sources]);
} else {
  forgetReports();
  await staticChecks();
  const folders = ["unit", "ca", "components", "integration"].map((name) => `tests/${name}/`);
  await testStage("unit and integration tests on SQLite", "check", [...projects, ...folders]);
  summarise(["check"]);
}
