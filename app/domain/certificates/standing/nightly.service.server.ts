import { systemActor } from "~/domain/audit/audit.service.server";
import { standingReminderMail } from "~/domain/mail/templates/standing.server";
import { daysUntil } from "~/lib/dates";
import { type Trx } from "~db/connection.server";
import {
  claimStandingReminders,
  findStanding,
  listStandingOverdue,
  lockStanding,
} from "~db/repositories/standing-authorisations.server";
import { inTransaction } from "~db/transaction.server";
import { STANDING_REMINDER_DAYS } from "./standing";
import { endStanding, tellOwnersOfStanding } from "./telling.server";
import { withdrawEndedGrants } from "./withdrawing.server";

const ACTOR = systemActor("standing authorisations");
const BATCH = 100;

/** Repeats a transaction until it finds less than a batch. Returns how many it has found in all. */
async function inBatches(work: (trx: Trx) => Promise<number>): Promise<number> {
  let count = 0;
  for (let found = BATCH; found === BATCH; count += found) found = await inTransaction(work);
  return count;
}

const endOverdue = (now: Date): Promise<number> =>
  inBatches(async (trx) => {
    const ids = await listStandingOverdue(trx, now, BATCH);
    for (const id of ids) {
      const row = await lockStanding(trx, id);
      if (row?.endedAt !== null) continue;
      await endStanding(trx, row, { actor: ACTOR, by: "time", why: "Its last day has passed." }, now);
    }
    return ids.length;
  });

/** Queues the reminders that are due. After missed ones, only the latest is sent. */
async function remind(now: Date): Promise<number> {
  let count = 0;
  for (const [index, days] of STANDING_REMINDER_DAYS.entries())
    count += await inBatches(async (trx) => {
      const time = { days, from: STANDING_REMINDER_DAYS[index + 1] ?? 0, limit: BATCH };
      const ids = await claimStandingReminders(trx, time, now);
      for (const id of ids) {
        const row = await findStanding(trx, id);
        if (!row) continue;
        const daysLeft = daysUntil(row.endsAt, now);
        const toMail = (about: Parameters<typeof standingReminderMail>[0]) => standingReminderMail(about);
        await tellOwnersOfStanding(trx, row, "standing-reminder", (about) => toMail({ ...about, daysLeft }), now);
      }
      return ids.length;
    });
  return count;
}

/**
 * Ends the standing authorisations whose last day has passed, reminds the owners of those that end soon, and withdraws grants that the signer
 * still has of ended ones. Returns the outcome in words. Throws a CaError when the signer cannot be reached, after the rest is done.
 */
export async function keepStanding(now: Date): Promise<string> {
  const done = `${await endOverdue(now)} ended, ${await remind(now)} reminded of`;
  const withdrawn = await withdrawEndedGrants();
  return withdrawn > 0 ? `${done}, ${withdrawn} withdrawn at the signer` : done;
}
