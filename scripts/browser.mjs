// Finds a Chromium for the browser tests, or installs one, and says so. Prints nothing else on standard output but its path.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { chromium } from "playwright";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const say = (text) => process.stderr.write(`${text}\n`);

function installed() {
  return [process.env.CHROMIUM_PATH, chromium.executablePath(), ...PLACES].find((path) => path && existsSync(path));
}

function install() {
  const isDebianRoot = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  const commands = isDebianRoot
    ? [
        ["apt-get", "update"],
        ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
      ]
    : [["npx", "playwright", "install", "chromium"]];
  for (const [command, ...args] of commands) {
    say(`Browser tests: no Chromium found, running '${[command, ...args].join(" ")}' …`);
    spawnSync(command, args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  }
}

/** The path of a Chromium. Throws when there is none and none could be installed. */
export function findBrowser() {
  if (!installed()) install();
  const path = installed();
  if (!path) throw new Error("No Chromium: set CHROMIUM_PATH, or run 'npx playwright install chromium'.");
  say(`Browser tests: using ${path}`);
  return path;
}
