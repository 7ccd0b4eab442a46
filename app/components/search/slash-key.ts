const OFF = "slash-key-off";

/** Returns whether the key `/` moves to the search. Each browser keeps its own choice. */
export function isSlashKeyOn(): boolean {
  try {
    return window.localStorage.getItem(OFF) === null;
  } catch {
    return true; // The browser keeps no data for this site.
  }
}

/** Switches the key `/` on or off in this browser. */
export function setSlashKey(isOn: boolean): void {
  try {
    if (isOn) window.localStorage.removeItem(OFF);
    else window.localStorage.setItem(OFF, "yes");
  } catch {
    // The choice lasts as long as the page.
  }
}
