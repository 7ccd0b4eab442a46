import { type Page } from "playwright";
import { type Browser, type HTTPRequest, type Page as FirefoxPage } from "puppeteer-core";
import { launchFirefox } from "../../firefox/support/firefox";

/** One page of one Firefox for all test files of a worker. */
const firefoxPage = (() => {
  let page: Promise<FirefoxPage> | undefined;
  return () => (page ??= launchFirefox(true).then((browser: Browser) => browser.newPage()));
})();

/** Returns the page that Chromium shows as HTML that needs no scripts. It contains what is typed, ticked and opened. */
const contentOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement;
    const selector = "input, option, textarea, dialog";
    const copies = copy.querySelectorAll(selector);
    for (const [index, shown] of document.querySelectorAll(selector).entries()) {
      const element = copies[index] as Element;
      if (shown instanceof HTMLOptionElement) element.toggleAttribute("selected", shown.selected);
      else if (shown instanceof HTMLTextAreaElement) element.textContent = shown.value;
      else if (shown instanceof HTMLDialogElement) element.toggleAttribute("data-modal", shown.matches(":modal"));
      else if (shown instanceof HTMLInputElement && /^(checkbox|radio)$/.test(shown.type))
        element.toggleAttribute("checked", shown.checked);
      else if (shown instanceof HTMLInputElement && shown.type !== "file") element.setAttribute("value", shown.value);
    }
    for (const script of copy.querySelectorAll("script, link[rel=modulepreload]")) script.remove();
    for (const frame of copy.querySelectorAll("iframe")) frame.removeAttribute("src");
    return `<!doctype html>${copy.outerHTML}`;
  });

/** Shows this HTML at the address of the page, so that styles, fonts and images come from the portal. */
async function show(page: FirefoxPage, url: string, body: string): Promise<void> {
  const answer = (request: HTTPRequest) =>
    void (request.isNavigationRequest()
      ? request.respond({ status: 200, contentType: "text/html; charset=utf-8", body })
      : request.continue());
  await page.setRequestInterception(true);
  page.on("request", answer);
  await page.goto(url);
  page.off("request", answer);
  await page.setRequestInterception(false);
  await page.evaluate(async () => {
    for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[data-modal]")) {
      dialog.open = false;
      dialog.showModal();
    }
    await document.fonts.ready;
  });
}

/**
 * Runs in the page. Returns elements that are wider than the page, words that are broken although there is room, buttons in the browser's own
 * font, and texts that overlap.
 */
function layoutFaults(): string[] {
  interface Box extends Record<"left" | "right" | "top" | "bottom", number> {
    node: Element;
    text: string;
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  const faults = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
  const top = document.querySelector("dialog[data-modal]") ?? document.body;

  // Elements that stick to an edge of the window overlap others on purpose.
  for (const element of top.querySelectorAll<HTMLElement>("*"))
    if (getComputedStyle(element).position === "sticky") element.style.position = "static";

  const range = document.createRange();
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest(".vh") &&
    !element.matches("details:not([open])");

  /** Returns the part of a box that the element and those around it do not clip. */
  const clipped = (inside: Element | null, box: Box): Box => {
    for (let outer = inside; outer; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflow === "visible") continue;
      const edge = outer.getBoundingClientRect();
      box.left = Math.max(box.left, edge.left);
      box.right = Math.min(box.right, edge.right);
      box.top = Math.max(box.top, edge.top);
      box.bottom = Math.min(box.bottom, edge.bottom);
    }
    return box;
  };
  /** Returns the inner width of the nearest element that is not inline. */
  const roomAround = (element: Element): number => {
    let block = element;
    while (block.parentElement && getComputedStyle(block).display === "inline") block = block.parentElement;
    const { paddingLeft, paddingRight } = getComputedStyle(block);
    return block.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  };
  /** Returns the boxes of a text, one for each line. */
  const partsOf = (node: Text, start: number, text: string): DOMRect[] => {
    range.setStart(node, start);
    range.setEnd(node, start + text.length);
    return [...range.getClientRects()];
  };
  const boxes: Box[] = [];
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
    const element = node.parentElement as Element;
    if (!node.data.trim() || !isShown(element)) continue;
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()];
    // The box of a line is higher than its letters, and the lines of headings are close together.
    for (const { left, right, top: upper, bottom, height } of lines) {
      const letters = { top: upper + height / 6, bottom: bottom - height / 6 };
      boxes.push(clipped(element, { node: element, text: node.data, left, right, ...letters }));
    }
    const isSecret = /^\s*[\w+/=-]{32,}\s*$/.test(node.data); // random text: its dashes and slashes part no words
    if (lines.length < 2 || isSecret) continue;
    // Between spaces and dashes, a line may end only at brackets and the like, unless the word is too long for one line.
    for (const { 0: run, index } of node.data.matchAll(
      /[^\s/\p{Dash}\p{Script=Han}\p{Script=Kana}\p{Script=Hira}]+/gu,
    )) {
      const width = partsOf(node, index, run).reduce((sum, part) => sum + part.width, 0);
      const mustBeWhole = run.length < 20 && element.closest("header, .btn, label, thead, dt");
      if (!mustBeWhole && width > roomAround(element) + 1) continue;
      for (const { 0: word, index: at } of run.matchAll(/\p{Script=Latin}+/gu))
        if (new Set(partsOf(node, index + at, word).map((part) => Math.round(part.top))).size > 1)
          faults.push(`'${word}' is torn apart`);
    }
  }
  for (const control of top.querySelectorAll(":is(button, input, select, textarea, img):not([aria-hidden=true])"))
    if (isShown(control)) {
      const { left, right, top: upper, bottom } = control.getBoundingClientRect();
      const text = control.outerHTML.slice(0, 120);
      boxes.push(clipped(control.parentElement, { node: control, text, left, right, top: upper, bottom }));
    }
  for (const field of top.querySelectorAll("input[type=file]"))
    if (getComputedStyle(field, "::file-selector-button").fontFamily !== getComputedStyle(field).fontFamily)
      faults.push("the button of a file field has the browser's font");

  boxes.sort((one, other) => one.top - other.top);
  for (const [index, one] of boxes.entries())
    for (let next = index + 1; next < boxes.length; next += 1) {
      const other = boxes[next] as Box;
      if (other.top >= one.bottom) break;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - other.top;
      if (width <= 1 || height <= 1 || one.node.contains(other.node) || other.node.contains(one.node)) continue;
      faults.push(`'${one.text}' and '${other.text}' overlap`);
    }
  return faults;
}

/** Returns what is wrong with the layout of this screen in Firefox, at three widths. */
export async function faultsInFirefox(page: Page): Promise<string[]> {
  const firefox = await firefoxPage();
  await show(firefox, page.url(), await contentOf(page));
  const faults: string[] = [];
  for (const width of [390, 1024, 1280]) {
    await firefox.setViewport({ width, height: 900 });
    faults.push(...(await firefox.evaluate(layoutFaults)).map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}
