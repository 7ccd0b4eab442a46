// npm test: runs every check, those that fail fastest first. Stops at the first failure.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { findBrowser } from "./browser.mjs";
import { forgetReports, stage, staticChecks, summarise, testStage } from "./stages.mjs";

/** External tools that the tests use: the command, and the Debian package that contains it. */
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
  ["nginx", "nginx-light"],
  ["age", "age"],
  ["certbot", "certbot"],
  ["dehydrated", "dehydrated"],
  ["uacme", "uacme"],
  ["lego", "lego"],
  ["caddy", "caddy"],
];

const isThere = (command) =>
  (process.env.PATH ?? "").split(delimiter).some((directory) => existsSync(join(directory, command)));

/** Installs missing tools on Debian as root. Elsewhere throws an Error that says what to install. */
async function requireTools() {
  const missing = TOOLS.filter(([command]) => !isThere(command));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map(([, name]) => name))];
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    const commands = missing.map(([command]) => command).join(", ");
    throw new Error(`The tests need ${commands}: please install them (Debian: ${packages.join(", ")}).`);
  }
  const quietly = { DEBIAN_FRONTEND: "noninteractive" };
  await stage("package lists", "apt-get", ["update", "-qq"], quietly);
  await stage(
    `installing ${packages.join(", ")}`,
    "apt-get",
    ["install", "-y", "-qq", "--no-install-recommends", ...packages],
    quietly,
  );
}

await requireTools();
const CHROMIUM_PATH = findBrowser("CHROMIUM_PATH");
const FIREFOX_PATH = findBrowser("FIREFOX_PATH");
forgetReports();
await staticChecks();
await stage("build", process.execPath, ["scripts/build.mjs"]);
await testStage("unit and integration tests, SQLite and PostgreSQL", "unit-and-integration", []);
/**
 * Pages do not depend on the database. So journeys run on SQLite with scripts off, or on PostgreSQL with scripts on (chosen-journeys.ts).
 * `npm run test:e2e` runs all four combinations.
 */
const projects = ["http", "acme postgres", "machines", "screens", "firefox", "no-js sqlite", "js postgres"].flatMap(
  (name) => ["--project", name],
);
await testStage(
  "pages, screens and browser journeys, scripts off and on",
  "pages-and-journeys",
  ["--config", "tests/e2e/vitest.config.ts", ...projects],
  { CHROMIUM_PATH, FIREFOX_PATH, TEST_JOURNEYS: "chosen" },
);
summarise(["unit-and-integration", "pages-and-journeys"]);
