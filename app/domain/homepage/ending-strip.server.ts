import { scaleLinear } from "d3-scale";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { monthsFrom } from "~/domain/overview/months";
import { addDays, END_OF_TIME } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { countCertificatesEnding } from "~db/repositories/figures.server";
import { SOON_DAYS } from "./own-tasks.server";

const MONTHS = 12;

/** The height of the longest bar and of the shortest one that can be seen, in pixels. */
const LONGEST = 60;
const SHORTEST = 12;

const percent = (part: number) => `${Math.round((10_000 * part) / MONTHS) / 100}%`;

/** Says how many certificates end after these months, or returns null when there are none. `hasOthers` says whether any end before. */
function laterText(count: number, hasOthers: boolean): string | null {
  if (count === 0) return null;
  const more = hasOthers ? " more" : "";
  return count === 1 ? `One${more} ends later.` : `${count}${more} end later.`;
}

/** Returns how many certificates of a company end in each of the next 12 months, as the bars of a strip. Positions are in percent. */
export async function loadEndingStrip(companyId: number, now: Date) {
  const months = monthsFrom(now, 0, MONTHS);
  const filter = { statuses: ["Issued", "Downloaded"], companyId } as const;
  const last = months.at(-1)?.to ?? now;
  const [counts, [later = 0]] = await Promise.all([
    countCertificatesEnding(getDb(), filter, months),
    countCertificatesEnding(getDb(), filter, [{ from: last, to: END_OF_TIME }]),
  ]);
  const height = scaleLinear([0, Math.max(5, ...counts)], [0, LONGEST]);
  const soon = addDays(now, SOON_DAYS);
  return {
    later: laterText(
      later,
      counts.some((count) => count > 0),
    ),
    months: months.map(({ label, from }, index) => {
      const count = counts[index] ?? 0;
      const [name = "", year = ""] = label.split(" ");
      return {
        label,
        name,
        /** The year, at the first month and at the start of each other year. */
        year: index === 0 || from.getUTCMonth() === 0 ? year : null,
        count,
        to: count > 0 ? certificateList.href({ ends: from.toISOString().slice(0, 7) }) : null,
        /** Whether certificates of this month end within 30 days. */
        isSoon: from <= soon,
        height: count > 0 ? Math.max(SHORTEST, Math.round(height(count))) : 0,
        start: percent(index),
        middle: percent(index + 0.5),
        barStart: percent(index + 0.22),
      };
    }),
    widths: { month: percent(1), bar: percent(0.56) },
  };
}
