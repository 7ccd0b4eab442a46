import { isSingleKey } from "../ui/single-keys";

/** The single keys of the queue and of the page of an order. What they do can also be done with the mouse, and with Tab and Enter. */

const rows = () =>
  [...document.querySelectorAll<HTMLElement>("#pending-orders tbody tr")].filter((row) => row.querySelector("th a"));

const linkIn = (row: HTMLElement | undefined) => row?.querySelector<HTMLAnchorElement>("th a");

const HELP = "#queue-keys";
const WALK = 'nav[aria-label="Orders of this view"]';

const neighbour = (rel: "next" | "prev") => document.querySelector<HTMLAnchorElement>(`${WALK} a[rel="${rel}"]`);

/** Moves the focus to the order below or above. On the page of an order, opens it. */
function move(step: 1 | -1): void {
  const all = rows();
  const at = all.findIndex((row) => row === current());
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

/** The element in a row that had the focus when the help was opened. While the focus is in the help, it stands for the focus. */
let place: HTMLElement | null = null;

/** Returns the row in which the user is. */
function current(): HTMLElement | undefined {
  const { activeElement } = document;
  const at = activeElement?.closest(HELP) ? place : activeElement;
  return rows().find((row) => row.contains(at));
}

const ON_ORDER =
  "j opens the next order of the view, k the previous one. The page of the queue has a switch for these keys.";

/** Opens the help of the queue. The page of an order has none, so there it is a dialog. */
function showHelp(): void {
  const help = document.querySelector<HTMLDetailsElement>(HELP);
  if (help) {
    if (!help.contains(document.activeElement))
      place = document.activeElement instanceof HTMLElement && current() ? document.activeElement : null;
    help.open = true;
    help.querySelector("summary")?.focus();
    return;
  }
  const dialog = document.createElement("dialog");
  const text = document.createElement("p");
  const close = document.createElement("button");
  text.textContent = ON_ORDER;
  close.textContent = "Close";
  close.className = "btn secondary";
  close.addEventListener("click", () => dialog.close());
  dialog.setAttribute("aria-label", "Keys");
  dialog.append(text, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Goes back to the row when the help is closed. */
function leaveHelp({ target }: Event): void {
  if (!(target instanceof HTMLDetailsElement) || !target.matches(HELP) || target.open) return;
  if (target.contains(document.activeElement)) place?.focus();
  place = null;
}

// The event of `details` does not bubble.
document.addEventListener("toggle", leaveHelp, true);

document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || !document.querySelector(`${HELP}, ${WALK}`) || !isSingleKey(event)) return;
  event.preventDefault();
  act();
});
