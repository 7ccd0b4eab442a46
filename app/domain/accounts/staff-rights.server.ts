import { type Actor } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { type DbOrTrx } from "~db/connection.server";
import { listRightsOf } from "~db/repositories/user-rights.server";
import { findUserById } from "~db/repositories/users.server";
import { type StaffRight } from "~db/tables";
import { isStaff, may, rightNeeded, STAFF_RIGHTS, type Task } from "./rights.policy";

/** Returns the rights of staff that count for an account: all for the right Admin, otherwise those granted one by one. */
export async function staffRightsOf(db: DbOrTrx, user: { id: number; isAdmin: boolean }): Promise<StaffRight[]> {
  if (user.isAdmin) return STAFF_RIGHTS;
  const granted = (await listRightsOf(db, user.id)).map(({ right }) => right);
  return STAFF_RIGHTS.filter((right) => granted.includes(right));
}

/** The error for an account whose rights do not allow a task. */
export const noRight = (task: Task) => new PortalError(rightNeeded(task), { code: "account.right", status: 403 });

/**
 * Throws a PortalError (403) when the stored rights of the actor do not allow the task. Every service that changes something as staff calls
 * it in its transaction, so that a right withdrawn since the page was opened counts. The portal itself and the command line need no right.
 */
export async function requireTask(db: DbOrTrx, actor: Actor, task: Task): Promise<void> {
  if (actor.id === null) return;
  const user = await findUserById(db, actor.id);
  if (!user || user.isDisabled || !may({ rights: await staffRightsOf(db, user) }, task)) throw noRight(task);
}

/** Returns whether the rights allow `admin` to act as `user`: user administrators act as customers, nobody acts as staff. */
export const mayActAs = async (
  db: DbOrTrx,
  user: { id: number; isAdmin: boolean },
  admin: { id: number; isAdmin: boolean },
): Promise<boolean> =>
  !isStaff({ rights: await staffRightsOf(db, user) }) &&
  may({ rights: await staffRightsOf(db, admin) }, "change-users");
