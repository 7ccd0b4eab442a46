/** A reader who follows a link of a pager goes on at the beginning of its table, not at the top of the page. */

let waiting: MutationObserver | undefined;

const pagerNamed = (name: string | null) =>
  [...document.querySelectorAll(".pager")].find((pager) => pager.ariaLabel === name);

const pageOf = (pager: Element) => pager.querySelector("[aria-current]")?.textContent;

function goToTable(pager: Element): void {
  const table = pager.parentElement?.querySelector<HTMLElement>(".tbl");
  table?.scrollIntoView();
  table?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  waiting?.disconnect();
  const link = event.target instanceof Element ? event.target.closest(".pager a") : null;
  const pager = link?.closest(".pager");
  // A link that opens another tab is left to the browser; the router prevents the browser from following the others.
  if (!pager || !event.defaultPrevented) return;
  const [name, page] = [pager.ariaLabel, pageOf(pager)];
  waiting = new MutationObserver(() => {
    const shown = pagerNamed(name);
    if (!shown || pageOf(shown) === page) return;
    waiting?.disconnect();
    goToTable(shown);
  });
  waiting.observe(document.body, { subtree: true, childList: true, attributeFilter: ["aria-current"] });
});
