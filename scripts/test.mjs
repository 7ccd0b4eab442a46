// npm test: every check, in the order in which they are quick to fail. Stops at the first that fails.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { findBrowser } from "./browser.mjs";

const bin = (name) => `node_modules/.bin/${name}`;

function run(title, command, args, env = {}) {
  process.stdout.write(`\n— ${title}\n`);
  const started = Date.now();
  const { status, error } = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
  if (error) throw error;
  process.stdout.write(`— ${title}: ${Math.round((Date.now() - started) / 1000)} s\n`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Other people's tools that the tests ask: the command, and the Debian package that has it. */
const TOOLS = [
  ["openssl", "openssl"],
  ["certtool", "gnutls-bin"],
  ["ocsptool", "gnutls-bin"],
  ["certutil", "libnss3-tools"],
  ["crlutil", "libnss3-tools"],
  ["vfychain", "libnss3-tools"],
  ["javac", "default-jdk-headless"],
  ["softhsm2-util", "softhsm2"],
  ["pdftotext", "poppler-utils"],
];

const isThere = (command) =>
  (process.env.PATH ?? "").split(delimiter).some((directory) => existsSync(join(directory, command)));

/** Installs what is missing, on Debian as root; elsewhere says what to install. */
function requireTools() {
  const missing = TOOLS.filter(([command]) => !isThere(command));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map(([, name]) => name))];
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    const commands = missing.map(([command]) => command).join(", ");
    throw new Error(`The tests need ${commands}: please install them (Debian: ${packages.join(", ")}).`);
  }
  const quietly = { DEBIAN_FRONTEND: "noninteractive" };
  run("package lists", "apt-get", ["update", "-qq"], quietly);
  run(
    `installing ${packages.join(", ")}`,
    "apt-get",
    ["install", "-y", "-qq", "--no-install-recommends", ...packages],
    quietly,
  );
}

requireTools();
const browser = findBrowser();
run("types", bin("tsc"), ["--noEmit"]);
run("lint", bin("eslint"), ["."]);
run("format", bin("prettier"), ["--check", "--log-level", "warn", "."]);
run("dependency rules", bin("depcruise"), ["app", "db", "migrations", "cli", "server.ts"]);
run("build", process.execPath, ["scripts/build.mjs"]);
run("benches, each on next to nothing: that they still run", process.execPath, ["scripts/bench.mjs", "--small"]);
run("unit and integration tests, SQLite and PostgreSQL", bin("vitest"), ["run"]);
/** Pages do not know which database they stand on, so each journey meets each of the two once; `npm run test:e2e` has all four pairs. */
const projects = ["http", "screens", "no-js sqlite", "js postgres"].flatMap((name) => ["--project", name]);
run(
  "pages, screens and browser journeys, scripts off and on",
  bin("vitest"),
  ["run", "--config", "tests/e2e/vitest.config.ts", ...projects],
  { CHROMIUM_PATH: browser },
);
