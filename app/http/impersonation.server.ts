import { type SessionUser } from "~/domain/accounts/session-user";
import { type ActedAs, recordActingEnded } from "~/domain/accounts/administration/impersonation.service.server";
import { getSession, replaceSession, type Toast } from "./session.server";

/** The `Set-Cookie` of the session in which this administrator, whose request it is, acts as the user. */
export async function startActing(request: Request, admin: SessionUser, user: ActedAs): Promise<string> {
  const epoch = (await getSession(request)).get("epoch") ?? -1;
  return replaceSession(request, user, { impersonator: { id: admin.id, epoch } });
}

/** The `Set-Cookie` of the administrator's own session; null when nobody acts as this user, whose request it is. */
export async function endActing(request: Request, user: SessionUser, toast: Toast): Promise<string | null> {
  const impersonator = (await getSession(request)).get("impersonator");
  if (!impersonator || !user.impersonator) return null;
  await recordActingEnded(user);
  return replaceSession(request, { id: impersonator.id, sessionEpoch: impersonator.epoch }, { toast });
}
