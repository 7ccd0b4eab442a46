/** The path of a Chromium. Throws when there is none and none could be installed. */
export function findBrowser(): string;
