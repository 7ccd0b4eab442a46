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

type Outcome = "confirmed" | "failed" | "ended" | "changed" | "not asked";

/** Notes what the nightly check of a domain has found, unless the domain has been confirmed or ended meanwhile. */
const note = (asked: CompanyDomain, problem: ControlProblem | null, now: Date): Promise<Outcome> =>
  inTransaction(async (trx) => {
    const row = await lockOpenDomain(trx, asked);
    if (row?.confirmedToken !== asked.confirmedToken || row.recheckedAt !== asked.recheckedAt) return "changed";
    if (problem?.isOwnFault) return "not asked";
    if (problem === null) {
      const isMet = row.token === row.confirmedToken; // otherwise the problem is that of the values for the next year
      await updateDomain(trx, row.id, { recheckedAt: now, failedNights: 0, ...(isMet && { problem: null }) });
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

/** A domain, and what its check has found. */
type Checked = [row: CompanyDomain, problem: ControlProblem | null];

/** Checks all domains again that DNS or a file has confirmed. */
async function checkAll(now: Date): Promise<Checked[]> {
  const all: Checked[] = [];
  const checkedBefore = new Date(now.getTime() - ONCE_IN_MS);
  for (let afterId = 0; ;) {
    const rows = await listToCheckAgain(getDb(), { afterId, checkedBefore, limit: BATCH });
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const some = rows.slice(start, start + AT_ONCE);
      all.push(...(await Promise.all(some.map(async (row): Promise<Checked> => [row, await whatFails(row)]))));
    }
    if (rows.length < BATCH) return all;
    afterId = rows.at(-1)?.id ?? 0;
  }
}

/** Returns whether the portal reached none of several web servers, so that its own network must be at fault. */
function isCutOff(checked: readonly Checked[]): boolean {
  const files = checked.filter(([{ method }, problem]) => method === "http" && !problem?.isOwnFault);
  return files.length > 1 && files.every(([, problem]) => problem?.isUnreached);
}

/** Checks all domains again, and notes what was found. Returns how many had each outcome. */
async function checkAgain(now: Date): Promise<Record<Outcome, number>> {
  const counts = { confirmed: 0, failed: 0, ended: 0, changed: 0, "not asked": 0 };
  const checked = await checkAll(now);
  const cutOff = isCutOff(checked);
  for (const [row, problem] of checked) {
    const isOwn = problem !== null && (problem.isOwnFault || (cutOff && problem.isUnreached));
    counts[await note(row, problem && { ...problem, isOwnFault: isOwn }, now)] += 1;
  }
  return counts;
}

/**
 * Ends confirmations whose year is over, reminds owners of those that end soon, and checks the others again. A check that the portal's own
 * DNS servers did not answer counts for nothing. Returns the outcome in words. Neither does one that reached no web server, when
 * several were to be reached. Throws an Error when nothing could be checked at all.
 */
export async function keepDomains(now: Date): Promise<string> {
  const over = await endOverdue(now);
  const reminded = await remind(now);
  const { confirmed, failed, ended, "not asked": unasked } = await checkAgain(now);
  if (unasked > 0 && confirmed + failed + ended === 0)
    throw new Error(`None of ${unasked} domains could be checked: the portal reaches no DNS server or no web server.`);
  const notChecked = unasked > 0 ? `, ${unasked} could not be checked` : "";
  return `${confirmed} confirmed again, ${failed} failed, ${over + ended} ended, ${reminded} reminded of${notChecked}`;
}
