import { type Page } from "playwright";
import { lighthouseConfig, lighthouseFaults } from "../../support/lighthouse";

/** The port at which the browser of the screens lets Lighthouse in. Without it, Lighthouse is not run: it takes five seconds for each page. */
const PORT = process.env.LIGHTHOUSE_PORT;

/** Returns the id by which the browser's debugging protocol knows the page. */
async function targetOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send("Target.getTargetInfo");
  await session.detach();
  return targetInfo.targetId;
}

/** Returns what Lighthouse finds wrong with the page as it is shown now. `npm run bench lighthouse` runs it. */
export async function faultsByLighthouse(page: Page): Promise<string[]> {
  if (!PORT) return [];
  const [{ snapshot }, { connect }] = await Promise.all([import("lighthouse"), import("puppeteer-core")]);
  const id = await targetOf(page);
  const browser = await connect({ browserURL: `http://127.0.0.1:${PORT}`, defaultViewport: null });
  try {
    const isPage = (target: unknown) => (target as { _targetId?: string })._targetId === id;
    const shown = await (await browser.waitForTarget(isPage)).page();
    const result = shown && (await snapshot(shown, { config: lighthouseConfig() }));
    if (!result) throw new Error("Lighthouse found no page.");
    return lighthouseFaults(result.lhr);
  } finally {
    await browser.disconnect();
  }
}
