import { isSingleKey } from "../ui/single-keys";

/** The single keys of the queue and of the page of an order. What they do can also be done with the mouse, and with Tab and Enter. */

const rows = () =>
  [...document.querySelectorAll<HTMLElement>("#pending-orders tbody tr")].filter((row) => row.querySelector("th a"));

const linkIn = (row: HTMLElement | undefined) => row?.querySelector<HTMLAnchorElement>("th a");

const neighbour = (rel: "next" | "prev") =>
  document.querySelector<HTMLAnchorElement>(`nav[aria-label="Orders of this view"] a[rel="${rel}"]`);

/** Moves the focus to the order below or above. On the page of an order, opens it. */
function move(step: 1 | -1): void {
  const all = rows();
  const at = all.findIndex((row) => row.contains(document.activeElement));
  if (all.length === 0) neighbour(step === 1 ? "next" : "prev")?.click();
  else linkIn(all[at === -1 ? (step === 1 ? 0 : all.length - 1) : at + step])?.focus();
}

const KEYS: Readonly<Record<string, () => void>> = {
  j: () => move(1),
  k: () => move(-1),
  x: () => current()?.querySelector<HTMLInputElement>(".sel input")?.click(),
  o: () => linkIn(current())?.click(),
  "?": showHelp,
};

const current = () => rows().find((row) => row.contains(document.activeElement));

function showHelp(): void {
  const help = document.querySelector<HTMLDetailsElement>("#queue-keys");
  if (!help) return;
  help.open = true;
  help.querySelector("summary")?.focus();
}

document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || !document.querySelector("#queue-keys") || !isSingleKey(event)) return;
  event.preventDefault();
  act();
});
