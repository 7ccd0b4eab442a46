import { type MailKind } from "~/domain/mail/kinds";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { accountLockedMail, staffLockedMail } from "~/domain/mail/templates/locks.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { contactUrl } from "~/lib/server-paths.server";
import { type Trx } from "~db/connection.server";
import { listKnownKeys } from "~db/repositories/mails.server";
import { listStaffToTell } from "~db/repositories/user-administration.server";
import { type UserRow } from "~db/repositories/users.server";
import { isStaff, TASKS } from "./rights.policy";
import { staffRightsOf } from "./staff-rights.server";

/**
 * The maximum number of emails a day about locks of one account. Without a limit, a stranger could flood a mailbox by locking the account
 * again and again.
 */
const MOST_A_DAY = 3;
/** The maximum while the address is not confirmed, because it may belong to a stranger. */
const MOST_UNCONFIRMED = 1;

/** Returns the key of the next message about this account today, or null when the maximum is reached. */
async function findFreeKey<Kind extends MailKind>(trx: Trx, kind: Kind, about: string, most: number, now: Date) {
  const day = now.toISOString().slice(0, 10);
  const keys = Array.from({ length: most }, (_, index) => `${kind}:${about}:${day}:${index + 1}` as const);
  const known = await listKnownKeys(trx, keys);
  return keys.find((key) => !known.includes(key)) ?? null;
}

async function tellOwner(trx: Trx, user: UserRow, lockedUntil: Date | null, now: Date): Promise<void> {
  const most = user.emailVerifiedAt === null ? MOST_UNCONFIRMED : MOST_A_DAY;
  const dedupeKey = await findFreeKey(trx, "account-locked", String(user.id), most, now);
  if (!dedupeKey) return;
  const url = lockedUntil ? getEnv().publicUrl + paths.forgotPassword : contactUrl();
  const mail = accountLockedMail({ name: user.firstName, username: user.username, lockedUntil, url });
  await queueOwnMail(trx, user.id, { dedupeKey, mail }, now);
}

async function tellStaff(trx: Trx, { id, username }: UserRow, lockedUntil: Date | null, now: Date): Promise<void> {
  const url = getEnv().publicUrl + paths.user(id);
  for (const administrator of await listStaffToTell(trx, TASKS["change-users"].rights)) {
    if (administrator.id === id) continue;
    const dedupeKey = await findFreeKey(trx, "staff-locked", `${id}:${administrator.id}`, MOST_A_DAY, now);
    const mail = staffLockedMail({ name: administrator.firstName, username, lockedUntil, url });
    if (dedupeKey) await queueOwnMail(trx, administrator.id, { dedupeKey, mail }, now);
  }
}

/**
 * Informs the owner of a lock, and all other user administrators when the account is of staff, in the caller's transaction. Each
 * person gets one message for a lock and only a few a day.
 *
 * @param lockedUntil When the lock ends; null when an administrator has locked the account.
 */
export async function tellAboutLock(trx: Trx, user: UserRow, lockedUntil: Date | null, now: Date): Promise<void> {
  if (user.isDisabled || user.mergedInto !== null) return;
  await tellOwner(trx, user, lockedUntil, now);
  if (isStaff({ rights: await staffRightsOf(trx, user) })) await tellStaff(trx, user, lockedUntil, now);
}
