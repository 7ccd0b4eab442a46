import { findPasswordChange } from "~/domain/accounts/recovery/change-permit.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findUser } from "./guard.server";
import { getSession } from "./session.server";

/**
 * Returns the permit to change a password in this request's cookie, or null. A permit of a session that has ended is not valid, nor is one
 * held by an administrator who acts as a user. `isOwn` is true when the permit is for the logged-in user.
 */
export async function findPermit(request: Request) {
  const session = await getSession(request);
  const user = await findUser(request);
  const permit = session.get("changePermit");
  if (!permit || (session.has("userId") && !user) || user?.impersonator) return null;
  const change = await findPasswordChange(permit);
  return change && { permit, ...change, isOwn: user?.id === change.userId };
}

/** Returns whether the logged-in user may change their own password now. */
export const mayChangeOwn = async (request: Request, user: SessionUser): Promise<boolean> =>
  (await findPermit(request))?.userId === user.id;
