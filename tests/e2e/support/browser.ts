import { chromium, type Browser, type BrowserContext, type Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { findBrowser } from "../../../scripts/browser.mjs";
import { freshDatabase, startPortal, type RunningPortal } from "./running-portal";

export const withScripts = process.env.TEST_SCRIPTS === "js";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  ...(process.env.LIGHTHOUSE_PORT ? [`--remote-debugging-port=${process.env.LIGHTHOUSE_PORT}`] : []),
];

/** Matches the browser's errors about refused answers and forbidden frames, which some tests cause on purpose. */
const ON_PURPOSE = /status of (4\d\d|503)|in a frame because it set 'X-Frame-Options'/;

/** One browser for all test files of a worker. Each file opens its own contexts. */
const launched = (() => {
  let browser: Promise<Browser> | undefined;
  return () => (browser ??= chromium.launch({ executablePath: findBrowser("CHROMIUM_PATH"), args: ARGS }));
})();

/**
 * Starts a portal and a browser with scripts on or off.
 *
 * @param start Starts the portal with these variables, which name the project's database.
 */
export function useBrowser(
  env: Record<string, string> = {},
  start: (env: Record<string, string>) => Promise<RunningPortal> = startPortal,
) {
  const state = {} as { portal: RunningPortal; browser: Browser; open: () => Promise<Page> };
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    state.portal = await start({ DATABASE_URL: await freshDatabase(), ...env });
    state.browser = await launched();
    // Each visitor has separate cookies.
    state.open = async () => {
      const context = await state.browser.newContext({ javaScriptEnabled: withScripts, baseURL: state.portal.origin });
      context.setDefaultTimeout(15_000);
      contexts.push(context);
      const page = await context.newPage();
      // Waits until the scripts of the page run, because they miss what is typed earlier. People are rarely that quick, but tests are.
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
