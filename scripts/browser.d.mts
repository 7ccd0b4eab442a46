/** The path of the browser that this variable can name. Throws when there is none and none could be installed. */
export function findBrowser(variable: "CHROMIUM_PATH" | "FIREFOX_PATH"): string;
