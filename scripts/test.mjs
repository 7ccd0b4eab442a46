// npm test: every check, in the order in which they are quick to fail. Stops at the first that fails.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
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

function requireOpenssl() {
  if (spawnSync("openssl", ["version"]).status === 0) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get"))
    run("installing openssl", "apt-get", ["install", "-y", "openssl"]);
  else throw new Error("The tests check certificates with openssl: please install it.");
}

requireOpenssl();
const browser = findBrowser();
run("types", bin("tsc"), ["--noEmit"]);
run("lint", bin("eslint"), ["."]);
run("format", bin("prettier"), ["--check", "--log-level", "warn", "."]);
run("dependency rules", bin("depcruise"), ["app", "db", "migrations", "cli", "server.ts"]);
run("build", process.execPath, ["scripts/build.mjs"]);
run("unit and integration tests, SQLite and PostgreSQL", bin("vitest"), ["run"]);
run("browser journeys, scripts off and on", bin("vitest"), ["run", "--config", "tests/e2e/vitest.config.ts"], {
  CHROMIUM_PATH: browser,
});
