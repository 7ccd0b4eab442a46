import { systemActor } from "~/domain/audit/audit.service.server";
import { domainFailingMail, domainReminderMail } from "~/domain/mail/templates/domains.server";
import { addDays, DAY, daysUntil } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import {
  claimDomainReminders,
  type CompanyDomain,
  listOverdue,
  listToCheckAgain,
  lockOpenDomain,
  updateDomain,
} from "~db/repositories/company-domains.server";
import { inTransaction } from "~db/transaction.server";
import { DOMAIN_REMINDER_DAYS, FAILED_NIGHTS } from "./challenge";
import { type CheckedMethod, checkControl, type ControlProblem } from "./check.server";
import { endConfirmation, tellOwners } from "./confirming.server";

const ACTOR = systemActor("domains");

/** How many domains are read from the database at once, and how many are checked at the same time. */
const BATCH = 100;
const AT_ONCE = 5;

/** A domain is checked at most once in this time, so that a job which runs twice in a night counts once. */
const ONCE_IN_MS = DAY / 2;

/** Ends the confirmations whose year is over. Returns how many. */
async function endOverdue(now: Date): Promise<number> {
  const why = "It was not confirmed again within a year.";
  let count = 0;
  for (let ended = BATCH; ended === BATCH; count += ended)
    ended = await inTransaction(async (trx) => {
      const rows = await listOverdue(trx, now, BATCH);
      for (const found of rows) {
        const row = await lockOpenDomain(trx, found);
        const isOver = row?.validUntil === found.validUntil;
        if (isOver) await endConfirmation(trx, row, { actor: ACTOR, why, isTold: true }, now);
      }
      return rows.length;
    });
  return count;
}

/** Queues the reminders that are due. After missed ones, only the latest is sent. Returns how many domains there were. */
async function remind(now: Date): Promise<number> {
  let count = 0;
  for (const [index, days] of DOMAIN_REMINDER_DAYS.entries()) {
    const time = { days, from: addDays(now, DOMAIN_REMINDER_DAYS[index + 1] ?? 0), to: addDays(now, days) };
    for (let reminded = BATCH; reminded === BATCH; count += reminded)
      reminded = await inTransaction(async (trx) => {
        const rows = await claimDomainReminders(trx, { ...time, limit: BATCH });
        for (const row of rows) {
          const end = { validUntil: row.validUntil ?? "", daysLeft: daysUntil(row.validUntil ?? "", now) };
          await tellOwners(trx, row, "domain-reminder", (about) => domainReminderMail({ ...about, ...end }), now);
        }
        return rows.length;
      });
  }
  return count;
}

/** Looks for the value that confirmed a domain, and for the one that is to confirm it again. */
async function whatFails({ name, method, confirmedToken, token }: CompanyDomain): Promise<ControlProblem | null> {
  const first = await checkControl(name, method as CheckedMethod, confirmedToken ?? "");
  return first === null || token === confirmedToken ? first : checkControl(name, method as CheckedMethod, token);
}

type Outcome = "confirmed" | "failed" | "ended" | "not asked";

/** Notes what the nightly check of a domain has found, unless the domain has been confirmed or ended meanwhile. */
const note = (asked: CompanyDomain, problem: ControlProblem | null, now: Date): Promise<Outcome> =>
  inTransaction(async (trx) => {
    const row = await lockOpenDomain(trx, asked);
    if (row?.confirmedToken !== asked.confirmedToken || row.recheckedAt !== asked.recheckedAt) return "not asked";
    if (problem?.isOwnFault) return "not asked";
    if (problem === null) {
      await updateDomain(trx, row.id, { recheckedAt: now, failedNights: 0 });
      return "confirmed";
    }
    const failedNights = row.failedNights + 1;
    await updateDomain(trx, row.id, { recheckedAt: now, failedNights, problem: problem.text });
    if (failedNights >= FAILED_NIGHTS) {
      const why = `The nightly check failed ${FAILED_NIGHTS} times in a row. ${problem.text}`;
      await endConfirmation(trx, row, { actor: ACTOR, why, isTold: true }, now);
      return "ended";
    }
    if (failedNights === 1) {
      const found = { problem: problem.text, nights: FAILED_NIGHTS };
      await tellOwners(trx, row, "domain-failing", (about) => domainFailingMail({ ...about, ...found }), now);
    }
    return "failed";
  });

/** Checks all domains again that DNS or a file has confirmed. Returns how many had each outcome. */
async function checkAgain(now: Date): Promise<Record<Outcome, number>> {
  const counts = { confirmed: 0, failed: 0, ended: 0, "not asked": 0 };
  const checkedBefore = new Date(now.getTime() - ONCE_IN_MS);
  let afterId = 0;
  for (;;) {
    const rows = await listToCheckAgain(getDb(), { afterId, checkedBefore, limit: BATCH });
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const outcomes = await Promise.all(
        rows.slice(start, start + AT_ONCE).map(async (row) => note(row, await whatFails(row), now)),
      );
      for (const outcome of outcomes) counts[outcome] += 1;
    }
    if (rows.length < BATCH) return counts;
    afterId = rows.at(-1)?.id ?? 0;
  }
}

/**
 * Ends confirmations whose year is over, reminds owners of those that end soon, and checks the others again. A check that the portal's own
 * DNS servers did not answer counts for nothing. Returns the outcome in words. Throws an Error when no DNS server answered at all.
 */
export async function keepDomains(now: Date): Promise<string> {
  const over = await endOverdue(now);
  const reminded = await remind(now);
  const { confirmed, failed, ended, "not asked": unasked } = await checkAgain(now);
  if (unasked > 0 && confirmed + failed + ended === 0)
    throw new Error(`None of ${unasked} domains could be checked: the DNS servers do not answer.`);
  return `${confirmed} confirmed again, ${failed} failed, ${over + ended} ended, ${reminded} reminded of`;
}
