import { systemActor } from "~/domain/audit/audit.service.server";
import { inPortions } from "~/domain/jobs/portions.server";
import { getConfig } from "~/lib/config.server";
import { addDays, DAY } from "~/lib/dates";
import { getDb, type Trx } from "~db/connection.server";
import { isUnused } from "~db/repositories/erasure.server";
import { deleteEndedInvitations, deleteEndedRequests, listUnconfirmed } from "~db/repositories/retention.server";
import { lockUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { findErasureBarriers } from "./circumstances.server";
import { erasePerson, prepareErasure } from "./erase.server";

/** One erasure reads the whole audit trail, so a night does no more of them. */
const MOST_ERASED = 50;

const actor = systemActor("retention");

type Times = Pick<UserRow, "emailVerifiedAt" | "lastLoginAt" | "createdAt" | "erasedAt">;

/** Returns whether the person never confirmed the address, and never logged in again after the day of the registration. */
const wasNeverUsed = ({ emailVerifiedAt, lastLoginAt, createdAt, erasedAt }: Times): boolean =>
  emailVerifiedAt === null &&
  erasedAt === null &&
  lastLoginAt !== null &&
  Date.parse(lastLoginAt) - Date.parse(createdAt) < DAY;

/** Returns whether nothing was ordered or registered in the company of the account, which only that person owns. */
async function ownsNothing(trx: Trx, user: UserRow, now: Date): Promise<boolean> {
  return (await isUnused(trx, user.companyId)) && (await findErasureBarriers(trx, user, now)).length === 0;
}

async function eraseUnused(id: number, now: Date): Promise<boolean> {
  const preparation = await prepareErasure(id);
  return inTransaction(async (trx) => {
    const user = await lockUser(trx, id, now);
    if (!user || !wasNeverUsed(user) || !(await ownsNothing(trx, user, now))) return false;
    const reason = "the email address was never confirmed, and the account was never used";
    await erasePerson(trx, user, { preparation, actor, reason }, now);
    return true;
  });
}

/** Erases accounts that were registered `privacy.unusedAccountsKeptDays` ago and never confirmed or used. Returns how many. */
async function eraseUnusedAccounts(now: Date): Promise<number> {
  const before = addDays(now, -getConfig().privacy.unusedAccountsKeptDays);
  const candidates = (await listUnconfirmed(getDb(), before)).filter(wasNeverUsed);
  let erased = 0;
  for (const { id } of candidates) {
    if (erased === MOST_ERASED) break;
    if (await eraseUnused(id, now)) erased += 1;
  }
  return erased;
}

/**
 * Ends what has been kept long enough: accounts that were never confirmed and never used, ended invitations, and decided or expired
 * requests to a second user administrator. Safe to repeat. Returns the outcome in words.
 */
export async function endRetention(now: Date): Promise<string> {
  const { invitationsKeptDays, requestsKeptDays } = getConfig().privacy;
  const invitations = await inPortions((limit) =>
    deleteEndedInvitations(getDb(), { before: addDays(now, -invitationsKeptDays), limit }),
  );
  const requests = await inPortions((limit) =>
    deleteEndedRequests(getDb(), { before: addDays(now, -requestsKeptDays), limit }),
  );
  return `${await eraseUnusedAccounts(now)} accounts erased, ${invitations} invitations and ${requests} requests removed`;
}
