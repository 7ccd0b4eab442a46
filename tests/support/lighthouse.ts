import { type Config, type Result } from "lighthouse";

/** What every page must be, besides quick. */
const CATEGORIES = ["accessibility", "best-practices"];

/** Returns the settings of Lighthouse: a wide window without a simulated network, because the machine that measures is not a phone. */
export const lighthouseConfig = (categories: readonly string[] = CATEGORIES): Config => ({
  extends: "lighthouse:default",
  settings: {
    onlyCategories: [...categories],
    formFactor: "desktop",
    screenEmulation: { disabled: true },
    throttlingMethod: "provided",
  },
});

/** Returns what keeps a page from 100 in these categories: the audits that failed, with the beginnings of the elements. */
export function lighthouseFaults({ categories, audits }: Result): string[] {
  return CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${JSON.stringify(audits[id]?.details ?? audits[id]?.title).slice(0, 500)}`);
}
