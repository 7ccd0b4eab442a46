// Finds the browsers of the tests, or installs them and says so.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { chromium } from "playwright";

/**
 * The browsers by the variable that can name each: the Debian package, its program, and other usual paths. Chromium's headless shell needs
 * half of the work of the complete browser, which also draws windows that nobody sees.
 */
const BROWSERS = {
  CHROMIUM_PATH: {
    name: "Chromium",
    debian: ["chromium-headless-shell", "/usr/bin/chromium-headless-shell"],
    elsewhere: ["npx", "playwright", "install", "chromium"],
    places: () => [
      chromium.executablePath(),
      "/usr/bin/chromium",
      "/usr/bin/chromium-browser",
      "/usr/bin/google-chrome",
      "/usr/bin/google-chrome-stable",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ],
  },
  FIREFOX_PATH: {
    name: "Firefox",
    debian: ["firefox-esr", "/usr/bin/firefox-esr"],
    places: () => ["/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"],
  },
};

const say = (text) => process.stderr.write(`${text}\n`);

const isDebianRoot = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

function install(name, commands) {
  for (const [command, ...args] of commands) {
    say(`Browser tests: no ${name} found, running '${[command, ...args].join(" ")}' …`);
    spawnSync(command, args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  }
}

/** Returns the path of the browser for this variable. Throws when none was found and none could be installed. */
export function findBrowser(variable) {
  const { name, debian, elsewhere, places } = BROWSERS[variable];
  const [debianPackage, program] = debian;
  const found = (...paths) => [process.env[variable], program, ...paths].find((path) => path && existsSync(path));
  if (!found() && isDebianRoot)
    install(name, [
      ["apt-get", "update"],
      ["apt-get", "install", "-y", "--no-install-recommends", debianPackage],
    ]);
  if (!found(...places()) && elsewhere) install(name, [elsewhere]);
  const path = found(...places());
  if (!path) throw new Error(`The tests need ${name}: please install it, or name its program by ${variable}.`);
  return path;
}
