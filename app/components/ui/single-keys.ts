const OFF = "single-keys-off";

/** The choice on this page where the browser keeps no data for this site. */
let isOnHere = true;

/** Returns whether keys without Ctrl or Alt do something, such as `/`, which moves to the search. Each browser keeps its own choice. */
export function areSingleKeysOn(): boolean {
  try {
    return window.localStorage.getItem(OFF) === null;
  } catch {
    return isOnHere;
  }
}

/** Switches the single keys on or off in this browser. */
export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) window.localStorage.removeItem(OFF);
    else window.localStorage.setItem(OFF, "yes");
  } catch {
    isOnHere = isOn;
  }
}

const TICKED = ["checkbox", "radio"];

/** Returns whether a key is typed into what has the focus. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select") !== null) &&
  !(target instanceof HTMLInputElement && TICKED.includes(target.type));

/** Returns whether this key is meant for the page: it is not typed, no question is open, and single keys are on. */
export const isSingleKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.altKey &&
  !event.metaKey &&
  !isTyping(event.target) &&
  !document.querySelector("dialog[open]") &&
  areSingleKeysOn();
