import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { findingList } from "~/domain/certificate-audit/list";
import { loadFindings } from "~/domain/certificate-audit/list.service.server";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { STAGE_TITLES, TARGET_DAYS } from "~/domain/certificates/queue/queue-fields";
import { queueList } from "~/domain/certificates/queue/queue-list";
import { listHeldByNames } from "~/domain/certificates/request/confirmed-names.server";
import { JOBS } from "~/domain/jobs/catalogue.server";
import { addDays, daysSince, daysUntil } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { countWaiting } from "~db/repositories/certificate-list.server";
import { listDueRenewals } from "~db/repositories/figures.server";
import { listFailedJobs } from "~db/repositories/jobs.server";
import { QUEUE_STAGES } from "~db/tables/certificates";

/** The ages in which waiting orders are counted, each from the days before it: less than 1 day, 1 and 2 days, 3 to 5 days, and longer. */
export const AGE_TITLES = ["Less than a day", "1 to 2 days", `3 to ${TARGET_DAYS} days`, "Longer"] as const;

/**
 * Returns how many orders are at each stage of the queue, by age, in the order of the stages. Stages without orders are left out. `most` is
 * the number at the stage with the most orders.
 */
async function loadWaiting(now: Date) {
  const bounds = [addDays(now, -1), addDays(now, -3), addDays(now, -TARGET_DAYS - 1)] as const;
  const found = new Map(
    (await countWaiting(getDb(), bounds, await listHeldByNames(now))).map((row) => [row.stage, row]),
  );
  const most = Math.max(...[...found.values()].map(({ count }) => count));
  return QUEUE_STAGES.flatMap((stage) => {
    const row = found.get(stage);
    if (!row) return [];
    const age = daysSince(row.oldest, now);
    const to = queueList.href({ stage, sort: { key: "requestedAt", direction: "asc" } });
    return [{ ...row, most, title: STAGE_TITLES[stage], to, age, isLate: age > TARGET_DAYS }];
  });
}

/** Within how many days a certificate ends whose renewal is due. */
const DUE_DAYS = 30;

/** How many companies the overview lists. */
const COMPANIES_SHOWN = 10;

/** Returns the companies with the most certificates that end soon. */
async function loadDue(now: Date) {
  const { rows, companies } = await listDueRenewals(
    getDb(),
    { from: now, to: addDays(now, DUE_DAYS) },
    COMPANIES_SHOWN,
  );
  return {
    companies,
    days: DUE_DAYS,
    rows: rows.map((row) => ({
      ...row,
      to: certificateList.href({ companyId: row.companyId, expires: DUE_DAYS }),
      daysLeft: daysUntil(row.firstEnd, now),
    })),
  };
}

/** Returns the jobs that failed at their last run, the one that fails for the longest time first. */
const loadFailing = async () =>
  (
    await listFailedJobs(
      getDb(),
      JOBS.map(({ name }) => name),
    )
  ).map(({ name, lastError, lastFinishedAt, lastSucceededAt }) => ({
    name,
    error: lastError ?? "",
    at: lastFinishedAt,
    succeededAt: lastSucceededAt,
  }));

/** The list of open findings of the nightly audit, the oldest first. The overview shows its first page. */
const OLDEST_FINDINGS = findingList.read(new URLSearchParams({ sort: "found.asc" }));

/** Returns what waits or is broken, as far as the rights of this user open the pages behind it. The others are null. */
export async function loadWork(user: RightsHolder, now: Date) {
  const [waiting, due, failing, findings] = await Promise.all([
    may(user, "see-queue") ? loadWaiting(now) : null,
    may(user, "see-customers") ? loadDue(now) : null,
    may(user, "see-jobs") ? loadFailing() : null,
    may(user, "see-audit-findings") ? loadFindings(user, OLDEST_FINDINGS, now) : null,
  ]);
  return { waiting, due, failing, findings };
}

export type Work = Awaited<ReturnType<typeof loadWork>>;
