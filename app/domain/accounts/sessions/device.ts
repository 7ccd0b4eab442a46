type Names = readonly (readonly [pattern: RegExp, name: string])[];

/** The order matters: most browsers also name those that they descend from. */
const BROWSERS: Names = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const SYSTEMS: Names = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const nameIn = (names: Names, userAgent: string) => names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** Returns the first product of a header such as `curl/8.5.0`, in at most 60 characters. */
const productOf = (userAgent: string) => /^[\w.+ -]+(?:\/[\w.+-]+)?/.exec(userAgent)?.[0].trim().slice(0, 60);

/**
 * Returns browser and system of a User-Agent header in words, such as 'Firefox on Windows', or the name of a program, such as 'curl/8.5.0'.
 * The header is what the client says about itself and proves nothing.
 */
export function deviceOf(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (!browser) return (userAgent.startsWith("Mozilla/") ? system : productOf(userAgent)) ?? "Unknown";
  return system ? `${browser} on ${system}` : browser;
}
