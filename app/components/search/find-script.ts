import { SHORTEST_WORD } from "~/domain/search/search-kinds";
import { type Suggestion } from "~/domain/search/search-result";
import { rarePaths } from "~/lib/rare-paths";
import { TYPING_PAUSE_MS } from "../forms/typing-pause";
import { isSingleKey } from "../ui/single-keys";

/**
 * What scripts add to the search in the header: the key `/` moves to it, and it suggests results in a list (the combobox with a list of the
 * ARIA Authoring Practices Guide). The form itself works without them.
 */

const LIST = "find-list";

const headerField = () => document.querySelector<HTMLInputElement>(".find input");

const isField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target === headerField();

const options = () => [...document.querySelectorAll<HTMLElement>(`#${LIST} [role=option]`)];

let waiting: ReturnType<typeof setTimeout> | undefined;
let asking: AbortController | undefined;

/** Forgets what has been asked, and closes the list. */
function close(): void {
  clearTimeout(waiting);
  asking?.abort();
  const list = document.getElementById(LIST);
  if (!list) return;
  list.remove();
  const field = headerField();
  field?.setAttribute("aria-expanded", "false");
  field?.removeAttribute("aria-activedescendant");
}

function optionOf({ href, title, detail, kind }: Suggestion, index: number): HTMLElement {
  const option = document.createElement("li");
  option.role = "option";
  option.id = `${LIST}-${index}`;
  option.ariaSelected = "false";
  option.dataset.href = href;
  const more = document.createElement("span");
  more.textContent = detail === "" ? kind : `${kind} · ${detail}`;
  option.append(title, more);
  return option;
}

function show(field: HTMLInputElement, suggestions: readonly Suggestion[]): void {
  close();
  if (suggestions.length === 0 || document.activeElement !== field) return;
  const list = document.createElement("ul");
  list.role = "listbox";
  list.id = LIST;
  list.ariaLabel = "Suggestions";
  list.append(...suggestions.map(optionOf));
  field.form?.append(list);
  field.setAttribute("aria-expanded", "true");
}

/** Asks for suggestions. When there are none, or they cannot be had, the list stays closed: the form finds everything. */
async function suggest(field: HTMLInputElement): Promise<void> {
  asking = new AbortController();
  try {
    const answer = await fetch(rarePaths.suggestions(field.value), { signal: asking.signal });
    if (!answer.ok || answer.redirected) return;
    const { suggestions } = (await answer.json()) as { suggestions: Suggestion[] };
    show(field, suggestions);
  } catch {
    // Another word was typed in the meantime, or the network failed.
  }
}

/** Makes an option the active one. Above the first and below the last one, none is: the field has its words again. */
function move(field: HTMLInputElement, step: 1 | -1): void {
  const all = options();
  const before = all.findIndex((option) => option.ariaSelected === "true");
  const places = all.length + 1;
  const next = (before + 1 + step + places) % places;
  for (const [index, option] of all.entries()) option.ariaSelected = String(index === next - 1);
  const active = all[next - 1];
  if (active) field.setAttribute("aria-activedescendant", active.id);
  else field.removeAttribute("aria-activedescendant");
  active?.scrollIntoView({ block: "nearest" });
}

const open = (option: HTMLElement | undefined) => window.location.assign(option?.dataset.href ?? rarePaths.search());

function onFieldKey(event: KeyboardEvent, field: HTMLInputElement): void {
  const all = options();
  if (all.length === 0 || event.isComposing) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(field, event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Escape") {
    event.preventDefault();
    close();
  } else if (event.key === "Enter") {
    const active = all.find((option) => option.ariaSelected === "true");
    if (!active) return;
    event.preventDefault();
    open(active);
  }
}

const shownField = () =>
  [...document.querySelectorAll<HTMLInputElement>("main .search-all input, .find input")]
    .toReversed()
    .find((one) => one.checkVisibility());

/** Opens the menu that holds the field in narrow windows. */
const openMenu = () => document.querySelector("details.menu")?.setAttribute("open", "");

function onSlash(event: KeyboardEvent): void {
  if (event.key !== "/" || !isSingleKey(event)) return;
  if (!shownField()) openMenu();
  const field = shownField();
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

document.addEventListener("keydown", (event) => {
  if (isField(event.target)) onFieldKey(event, event.target);
  else onSlash(event);
});
document.addEventListener("focusin", ({ target }) => {
  if (!isField(target)) return close();
  target.role = "combobox";
  target.autocomplete = "off";
  target.setAttribute("aria-autocomplete", "list");
  target.setAttribute("aria-controls", LIST);
  target.ariaExpanded ??= "false";
});
document.addEventListener("input", ({ target }) => {
  if (!isField(target)) return;
  close();
  if (target.value.trim().length < SHORTEST_WORD) return;
  waiting = setTimeout(() => void suggest(target), TYPING_PAUSE_MS);
});
// The field keeps the focus while an option is pressed.
document.addEventListener("mousedown", (event) => {
  const option = event.target instanceof Element ? event.target.closest<HTMLElement>(`#${LIST} [role=option]`) : null;
  if (option) event.preventDefault();
  else close();
});
document.addEventListener("click", ({ target }) => {
  const option = target instanceof Element ? target.closest<HTMLElement>(`#${LIST} [role=option]`) : null;
  if (option) open(option);
});
