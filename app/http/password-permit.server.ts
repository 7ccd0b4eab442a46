import { findPasswordChange } from "~/domain/accounts/recovery/change-permit.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findUser } from "./guard.server";
import { getSession } from "./session.server";

/**
 * The permit to change a password that this request's cookie holds, or null. One of a session that has ended is worth nothing, nor is
 * one in the hands of an administrator who acts as somebody. `isOwn`: it is for the user who is signed in.
 */
export async function findPermit(request: Request) {
  const session = await getSession(request);
  const user = await findUser(request);
  const permit = session.get("changePermit");
  if (!permit || (session.has("userId") && !user) || user?.impersonator) return null;
  const change = await findPasswordChange(permit);
  return change && { permit, ...change, isOwn: user?.id === change.userId };
}

/** Whether the signed-in user may change the own password now. */
export const mayChangeOwn = async (request: Request, user: SessionUser): Promise<boolean> =>
  (await findPermit(request))?.userId === user.id;
