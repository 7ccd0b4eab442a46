// Lighthouse: speed of the main pages, and accessibility and best practices of all screens that the tests know: `npm run bench lighthouse`.
// LIGHTHOUSE_SCREENS names the files of screens to go over, such as `sign-in invoices`, instead of all.
import { spawn } from "node:child_process";
import { once } from "node:events";
import lighthouse from "lighthouse";
import { chromium } from "playwright";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { findBrowser } from "../../scripts/browser.mjs";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { HttpVisitor } from "../support/http-visitor";
import { lighthouseConfig, lighthouseFaults } from "../support/lighthouse";
import { freePort } from "../support/postgres";
import { untilReady } from "./load";
import { withPortal } from "./portal";
import { report } from "./report";

/** `npm run bench -- --small` opens one page only. */
const isSmall = process.env.BENCH_PAGES === "1";

/** The variables of this process before a portal of the bench added its own. */
const VARIABLES = { ...process.env, NODE_ENV: "test" as const };

const PUBLIC = [paths.login(), paths.publicRepository, paths.checkCsr];
const OF_STAFF = [
  paths.dashboard,
  staffPaths.overview,
  paths.certificateQueue,
  paths.certificates,
  accountPaths.personalData,
];

type Flags = Parameters<typeof lighthouse>[1];

/** Opens a page with Lighthouse, up to three times, because Chromium sometimes records no beginning of the navigation. */
async function openPage(url: string, flags: Flags, categories: string[]) {
  for (let tries = 1; ; tries += 1) {
    const result = await lighthouse(url, flags, lighthouseConfig(categories));
    if (!result) throw new Error(`Lighthouse measured nothing at ${url}.`);
    if (!result.lhr.runtimeError) return result.lhr;
    if (tries === 3) throw new Error(`${url}: ${result.lhr.runtimeError.message}`);
  }
}

/** Measures how quickly a page is shown in a window without a cache, and looks for faults. */
async function measurePage(port: number, origin: string, path: string, cookie: string): Promise<void> {
  const categories = ["performance", "accessibility", "best-practices"];
  const extraHeaders: Record<string, string> = cookie === "" ? {} : { Cookie: cookie };
  const flags = { port, logLevel: "error", extraHeaders, disableStorageReset: true } as const;
  const lhr = await openPage(origin + path, flags, categories);
  const faults = lighthouseFaults(lhr);
  if (faults.length > 0) throw new Error(`Lighthouse, ${path}:\n${faults.join("\n")}`);
  const measured = Math.round((lhr.categories.performance?.score ?? 0) * 100);
  report({
    name: `Lighthouse, performance of ${path}`,
    measured,
    unit: "of 100",
    must: { of: "measured", atLeast: 95 },
  });
}

async function measurePages(): Promise<void> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await withPortal(
    "sqlite",
    async ({ env }) => {
      const admin = await createAdmin();
      const portal = spawn(process.execPath, ["build/index.js"], {
        env: { ...process.env, ...env },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const debugged = await freePort();
      const browser = await chromium.launch({
        executablePath: findBrowser("CHROMIUM_PATH"),
        args: ["--no-sandbox", `--remote-debugging-port=${debugged}`],
      });
      try {
        await untilReady(`${origin}/readyz`);
        for (const path of isSmall ? PUBLIC.slice(0, 1) : PUBLIC) await measurePage(debugged, origin, path, "");
        if (isSmall) return;
        const visitor = new HttpVisitor(origin);
        await visitor.logIn({ email: admin.email, password: TEST_PASSWORD });
        for (const path of OF_STAFF) await measurePage(debugged, origin, path, visitor.cookie());
      } finally {
        await browser.close();
        portal.kill();
        await once(portal, "exit");
      }
    },
    { PORT: String(port), HOST: "127.0.0.1", PUBLIC_URL: origin },
  );
}

/** Opens all screens of the tests as the tests do, one after the other, and lets Lighthouse look at each. Throws when it finds anything. */
async function lookAtScreens(): Promise<void> {
  const files = (process.env.LIGHTHOUSE_SCREENS ?? "").split(" ").filter(Boolean);
  const args = [
    "vitest",
    "run",
    "--config",
    "tests/e2e/vitest.config.ts",
    "--project",
    "screens",
    "--no-file-parallelism",
  ];
  const env: NodeJS.ProcessEnv = { ...VARIABLES, LIGHTHOUSE_PORT: String(await freePort()) };
  const tests = spawn("npx", [...args, ...files], { env, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = (await once(tests, "exit")) as [number];
  if (code !== 0) throw new Error("Lighthouse or another check of the screens found faults.");
}

await measurePages();
if (!isSmall) await lookAtScreens();
