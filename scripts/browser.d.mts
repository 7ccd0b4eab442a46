/** Returns the path of the browser for this variable. Throws when none was found and none could be installed. */
export function findBrowser(variable: "CHROMIUM_PATH" | "FIREFOX_PATH"): string;
