import { chromium, type Browser, type BrowserContext, type Page } from "playwright";
import { afterAll, beforeAll, inject } from "vitest";
import { findBrowser } from "../../../scripts/browser.mjs";
import { onServer } from "../../support/postgres-client";
import { startPortal, type RunningPortal } from "./running-portal";

export const withScripts = process.env.TEST_SCRIPTS === "js";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** What the browser says of an answer that is refused, and of a frame that its site forbids: tests ask for both. */
const ON_PURPOSE = /status of (4\d\d|503)|in a frame because it set 'X-Frame-Options'/;

/** The address of a PostgreSQL database for this test file, as finished as the data folder; "" where the project runs on SQLite. */
async function freshDatabase(): Promise<string> {
  if (process.env.TEST_DATABASE !== "postgres") return "";
  const name = `portal_${process.pid}_${Date.now()}`;
  await onServer(`create database ${name} template template`);
  return `${inject("postgresUrl")}/${name}`;
}

/** One browser for all test files of a worker; each file opens contexts of its own. */
const launched = (() => {
  let browser: Promise<Browser> | undefined;
  return () => (browser ??= chromium.launch({ executablePath: findBrowser("CHROMIUM_PATH"), args: ARGS }));
})();

/** A running portal, on the project's database unless `start` says otherwise, and a browser with scripts on or off. */
export function useBrowser(
  env: Record<string, string> = {},
  start = async () => startPortal({ DATABASE_URL: await freshDatabase(), ...env }),
) {
  const state = {} as { portal: RunningPortal; browser: Browser; open: () => Promise<Page> };
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    state.portal = await start();
    state.browser = await launched();
    // A visitor of their own: no cookies of the others.
    state.open = async () => {
      const context = await state.browser.newContext({ javaScriptEnabled: withScripts, baseURL: state.portal.origin });
      context.setDefaultTimeout(15_000);
      contexts.push(context);
      const page = await context.newPage();
      // What is typed before the page's scripts run is not seen by them; people are rarely that quick, tests always are.
      await page.addLocatorHandler(page.locator("html.js:not(.ready)"), () => Promise.resolve());
      page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error" && !ON_PURPOSE.test(message.text()))
          problems.push(`${page.url()}: ${message.text()}`);
      });
      return page;
    };
  });

  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    await state.portal?.dispose();
    if (problems.length > 0) throw new Error(`Errors in the browser:\n${problems.join("\n")}`);
  });

  return state;
}
