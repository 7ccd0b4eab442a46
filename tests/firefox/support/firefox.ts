import puppeteer, { type Browser, type ElementHandle, type Page } from "puppeteer-core";
import { afterAll, beforeAll, vi } from "vitest";
import { findBrowser } from "../../../scripts/browser.mjs";
import { type RunningPortal, startPortal } from "../../e2e/support/running-portal";

/** Calls `look` again until it succeeds. Puppeteer's own waiting runs inside the page, where it never ends when scripts are off. */
const eventually = <T>(look: () => Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 15_000, interval: 50 });

/** A visitor of the portal. Every action waits until the page is ready for it. */
export class Visitor {
  constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  /** Opens an address. Tries again when a navigation of the page itself interrupted it. */
  open(path: string): Promise<unknown> {
    return eventually(() => this.page.goto(this.origin + path));
  }

  private found(selector: string) {
    return eventually(async () => {
      const element = await this.page.$(`html:is(:not(.js), .ready) ${selector}`);
      if (!element) throw new Error(`${this.page.url()} has no ${selector}`);
      return element;
    });
  }

  /**
   * Clicks the middle of an element when it has stopped moving and the pointer is over it. Elements move while fonts and styles are loaded, and
   * after a page has scrolled, Firefox may for a moment take the pointer to be over what was there before. When the element still moved away
   * below the pointer, the button is let go elsewhere, which clicks nothing, and the click is tried again.
   */
  private async click(element: ElementHandle): Promise<void> {
    let before: string | undefined;
    await eventually(async () => {
      const [x, y] = await element.evaluate((node) => {
        node.scrollIntoView({ block: "center", behavior: "instant" });
        const { left, top, width, height } = node.getBoundingClientRect();
        return [left + width / 2, top + height / 2] as const;
      });
      const isStill = before === `${x} ${y}`;
      before = `${x} ${y}`;
      if (!isStill) throw new Error(`${this.page.url()} still moves`);
      await this.page.mouse.move(x, y);
      if (!(await element.evaluate((node) => node.matches(":hover"))))
        throw new Error(`The pointer on ${this.page.url()} is over something else`);
      await this.page.mouse.down();
      const isPressed = await element.evaluate((node) => node.matches(":active"));
      if (!isPressed) await this.page.mouse.move(0, 0);
      await this.page.mouse.up();
      if (!isPressed) throw new Error(`The press on ${this.page.url()} was on something else`);
    });
  }

  /** Fills fields by the names in the specification. The value of a select is a caption, without its price. That of a checkbox is true. */
  async fill(values: Record<string, string | true>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      const field = await this.found(`[name="${name}"]:not([type="hidden"])`);
      if (value === true) await this.click(field);
      else if (await field.evaluate((element) => element.tagName === "SELECT"))
        await field.evaluate((element, caption) => {
          const select = element as HTMLSelectElement;
          select.selectedIndex = [...select.options].findIndex(
            ({ text }) => text === caption || text.startsWith(`${caption}, €`),
          );
          for (const event of ["input", "change"]) select.dispatchEvent(new Event(event, { bubbles: true }));
        }, value);
      else if (await field.evaluate((element) => (element as HTMLInputElement).type === "radio"))
        await this.click(await this.found(`[name="${name}"][value="${value}"]`));
      else
        await eventually(async () => {
          await field.evaluate((element) => (element as HTMLInputElement).select());
          await this.page.keyboard.type(value);
          const typed = await this.valueOf(name);
          if (typed !== value) throw new Error(`${name} on ${this.page.url()} has ${typed} instead of ${value}`);
        });
    }
  }

  async valueOf(name: string): Promise<string> {
    const field = await this.found(`[name="${name}"]:not([type="hidden"])`);
    return field.evaluate((element) => (element as HTMLInputElement).value);
  }

  /** Presses the first visible button or link with this text. While a dialog is open, only the dialog is searched. */
  async press(text: string): Promise<void> {
    await this.found("body");
    const element = await eventually(async () => {
      const handle = await this.page.evaluateHandle(
        (wanted) =>
          [...(document.querySelector("dialog:modal") ?? document).querySelectorAll("button, a")].find(
            (node) => node.textContent?.trim() === wanted && node.checkVisibility(),
          ),
        text,
      );
      const found = handle.asElement() as ElementHandle<Element> | null;
      if (!found) throw new Error(`${this.page.url()} has no button or link ${text}`);
      return found;
    });
    await this.click(element);
  }

  /** Returns the visible text of the page. */
  text(): Promise<string> {
    return this.page.evaluate(() => document.body.innerText);
  }

  /** Shows the page on a telephone's screen. Returns how many pixels of it are beyond the edge. */
  async beyondNarrowScreen(): Promise<number> {
    const viewport = this.page.viewport();
    await this.page.setViewport({ width: 390, height: 900 });
    const pixels = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    await this.page.setViewport(viewport);
    return pixels;
  }

  /** Waits until the page shows this text. */
  async sees(text: string): Promise<void> {
    await this.found("body");
    await eventually(async () => {
      const shown = await this.text();
      if (!shown.includes(text)) throw new Error(`${this.page.url()} does not show ${text}, but ${shown}`);
    });
  }
}

/** Starts Debian's Firefox without a window, controlled by WebDriver BiDi, with scripts on or off in all pages. */
export const launchFirefox = (withScripts: boolean): Promise<Browser> =>
  puppeteer.launch({
    browser: "firefox",
    executablePath: findBrowser("FIREFOX_PATH"),
    defaultViewport: { width: 1280, height: 900 }, // the menu of narrower windows is closed at first
    extraPrefsFirefox: { "javascript.enabled": withScripts },
  });

/** Starts a portal on SQLite, and Firefox with scripts on or off. Each visitor has separate cookies. */
export function useFirefox(withScripts: boolean) {
  const state = {} as { portal: RunningPortal; visit: () => Promise<Visitor> };
  let browser: Browser;

  beforeAll(async () => {
    [state.portal, browser] = await Promise.all([startPortal(), launchFirefox(withScripts)]);
    state.visit = async () => {
      const context = await browser.createBrowserContext();
      return new Visitor(await context.newPage(), state.portal.origin);
    };
  });

  afterAll(async () => {
    await browser?.close();
    await state.portal?.dispose();
  });

  return state;
}
