import axe, { type RunOptions } from "axe-core";
import { HtmlValidate } from "html-validate";
import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { expectSummaryInView, press } from "../../e2e/support/journey";
import { faultsInFirefox } from "./in-firefox";
import { faultsByLighthouse } from "./lighthouse";

/** Screens by name, including those with errors. Each function opens the screen and returns its page. */
export type Screens = Record<string, () => Promise<Page>>;

/** Opens a screen by its address. */
export const go = (page: () => Page, path: string) => async () => {
  await page().goto(path);
  return page();
};

/** Presses the button of a form without filling in more fields. The summary of the errors must be in view and have the focus. */
export const refused = async (page: Page, button: string) => {
  await press(page, button);
  await page.getByText("There is a problem").waitFor();
  await expectSummaryInView(page);
  return page;
};

/** Returns the address of the first link in the row with this text. */
export const idOf = async (page: Page, text: string, list = "/home/certificates") => {
  await page.goto(list);
  return (await page.getByRole("row").filter({ hasText: text }).getByRole("link").first().getAttribute("href")) ?? "";
};

/** The tests set inline styles. Tables state their roles, because browsers remove the roles of stacked tables. */
const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: { "no-inline-style": "off", "no-redundant-role": "off" },
});
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules whose result depends on colours and widths. All other rules are checked once, at 1280 pixels. */
const CHANGING = [
  "color-contrast",
  "link-in-text-block",
  "target-size",
  "scrollable-region-focusable",
  "aria-hidden-focus",
];
/** Frames without scripts, in which axe would wait for ever. */
const WITHOUT_SCRIPTS = 'iframe[sandbox=""]';
/** A rule that is violated, and the beginnings of the elements that violate it. */
interface Violation {
  id: string;
  nodes: string[];
}

const PHONE = { width: 390, height: 844 };

const SHOTS = process.env.SCREENSHOTS;

/** Runs axe in the page, into which `violationsOf` has loaded it. Only violations are described, because descriptions take time. */
const run = (page: Page, runOnly: string[] | { type: "tag"; values: string[] }): Promise<Violation[]> =>
  page.evaluate(
    async ([exclude, options]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({ exclude }, options);
      return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 200)) }));
    },
    [WITHOUT_SCRIPTS, { runOnly, resultTypes: ["violations"], preload: false } satisfies RunOptions] as const,
  );

/**
 * Returns what axe finds at 1280 pixels in one colour scheme and at 390 pixels in the other one. Which scheme is shown wide changes from
 * screen to screen, so that what all screens have in common is seen in all four ways. Nothing moves, because a message has no contrast while it
 * fades out.
 */
async function violationsOf(page: Page, name: string, isDarkFirst: boolean): Promise<unknown[]> {
  const found: unknown[] = [];
  await page.evaluate(axe.source);
  for (const width of [1280, 390]) {
    const colorScheme = isDarkFirst === (width === 1280) ? "dark" : "light";
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const violations = await run(page, width === 1280 ? { type: "tag", values: TAGS } : CHANGING);
    found.push(...violations.map((violation) => ({ colorScheme, width, ...violation })));
  }
  if (SHOTS) await takeShots(page, `${SHOTS}/${name.replace(/\W+/g, "-")}`);
  return found;
}

async function takeShots(page: Page, path: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${path}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
}

async function markupErrors(page: Page): Promise<unknown[]> {
  const { results } = await validator.validateString(await page.content());
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => ({ ruleId, message, selector })),
  );
}

const TASK = ".btn:is(.primary, .caution, .danger)";
const ACTIONS = "button, input, select, textarea, summary, a.btn, .tile a, .errors a, table a";
/** The height of a button or a field of one line, in pixels. A higher one counts by its beginning. */
const CONTROL_HEIGHT = 44;
const LINKS_AND_ACTIONS = `${ACTIONS}, a[href]`;

/**
 * Returns what is wrong with a screen on a phone. A page with a primary or red button is there for a task: its first field or action ends within
 * the first screen. An action is a button, a summary, or a link that looks like a button, is on a tile, in a table, or leads from an error to its
 * field. Every other page is there to be read, such as a policy, a trail or the details of something: its first link does, and Back is one. A
 * page with nothing to follow passes. Where a wide page is one screen, it is at most three on a phone, and so on for longer pages. Of an open
 * dialog, only the dialog counts. The steps of a wizard and the button that closes a message do not.
 */
async function faultsOnPhones(page: Page): Promise<string[]> {
  const screens = () => page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
  await page.setViewportSize({ width: 1280, height: 900 });
  const wideScreens = await screens();
  await page.setViewportSize(PHONE);
  const phoneScreens = await screens();
  const first = await page.evaluate(
    ([task, actions, linksAndActions, control]) => {
      const dialog = document.querySelector("dialog[open]");
      const content = dialog ?? document.querySelector("main") ?? document.body;
      const shown = (selector: string) =>
        [...content.querySelectorAll(selector)].filter(
          (element) =>
            element.checkVisibility({ visibilityProperty: true }) && !element.closest(".vh, .steps, .toasts"),
        );
      const isTask = shown(task).length > 0;
      return shown(isTask ? actions : linksAndActions)
        .map((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          const end = Math.min(bottom, top + control) + (dialog ? 0 : scrollY);
          return { end: Math.round(end), html: element.outerHTML.slice(0, 120) };
        })
        .sort((one, other) => one.end - other.end)[0];
    },
    [TASK, ACTIONS, LINKS_AND_ACTIONS, CONTROL_HEIGHT] as const,
  );
  const faults = first && first.end > PHONE.height ? [`the first action ends at ${first.end} px: ${first.html}`] : [];
  if (phoneScreens > 3 * wideScreens)
    faults.push(`${phoneScreens.toFixed(1)} screens on a phone, ${wideScreens.toFixed(1)} on a wide page`);
  return faults;
}

/** Returns whether the buttons of an open dialog cover what stands above them, although the whole dialog is in view. */
const isDialogCovered = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const dialog = document.querySelector("dialog[open]");
    const buttons = dialog?.querySelector(":scope > .stack > form:last-child");
    const above = buttons?.previousElementSibling;
    if (!dialog || !buttons || !above || dialog.scrollHeight > dialog.clientHeight) return false;
    return buttons.getBoundingClientRect().top < Math.floor(above.getBoundingClientRect().bottom);
  });

/** Returns the serial numbers and fingerprints in which a line begins in the middle of a byte. */
const tornBytes = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const range = document.createRange();
    const topOf = (text: Node, at: number) => {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().top;
    };
    const isTorn = ({ firstChild: text, textContent }: Element) =>
      text && [...(textContent ?? "")].some((_, at) => at % 3 > 0 && topOf(text, at) !== topOf(text, at - 1));
    return [...document.querySelectorAll(".hex-pairs")].filter(isTorn).map(({ textContent }) => textContent ?? "");
  });

/** Defines one test for each screen, in this order. With SCREENSHOTS=FOLDER, pictures of the screens are stored in this folder. */
export function checkScreens(screens: Screens): void {
  for (const [index, [name, reach]] of Object.entries(screens).entries())
    describe(name, () => {
      test("[GEN-04] has no accessibility violation in light and dark, wide and narrow; does not scroll sideways or break a byte; on a phone shows its first action at once; is valid HTML; in Firefox breaks no word and nothing overflows or overlaps", async () => {
        const page = await reach();
        expect(await page.evaluate(() => document.querySelector("dialog[open]")?.scrollTop ?? 0)).toBe(0);
        expect(await violationsOf(page, name, index % 2 === 1)).toEqual([]);

        await page.setViewportSize({ width: 1280, height: 900 });
        expect(await faultsByLighthouse(page)).toEqual([]);
        expect((await faultsOnPhones(page)).join("; ")).toBe("");
        await page.setViewportSize({ width: 320, height: 900 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
        expect(await tornBytes(page)).toEqual([]);
        expect(await isDialogCovered(page)).toBe(false);
        await page.setViewportSize({ width: 1280, height: 900 });

        expect(await markupErrors(page)).toEqual([]);
        expect(await faultsInFirefox(page)).toEqual([]);
      });
    });
}
