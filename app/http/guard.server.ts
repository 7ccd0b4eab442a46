import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findSessionUser } from "~/domain/accounts/session-user.server";
import { paths } from "~/lib/paths";
import { endSession, getSession, isAlive } from "./session.server";

export type Right = "Applicant" | "Admin";

/** The signed-in user, or null. A session that no longer holds (epoch raised, disabled, too old) counts as none. */
export async function findUser(request: Request): Promise<SessionUser | null> {
  const session = await getSession(request);
  const userId = session.get("userId");
  if (!userId || !(await isAlive(session))) return null;
  return findSessionUser(userId, session.get("epoch") ?? -1);
}

const pathOf = (request: Request) => {
  const { pathname, search } = new URL(request.url);
  return request.method === "GET"
    ? pathname + search.replace(/([?&])_data=[^&]*&?/, "$1").replace(/[?&]$/, "")
    : undefined;
};

/** Any signed-in user. Anonymous: to login and back afterwards; a session that ended: logged out, to the root route (A §8, 401). */
export async function requireSession(request: Request): Promise<SessionUser> {
  const user = await findUser(request);
  if (user) return user;
  const hadSession = (await getSession(request)).has("userId");
  if (hadSession) throw redirect(paths.root, { headers: { "Set-Cookie": await endSession(request) } });
  throw redirect(paths.login(pathOf(request)));
}

/**
 * First line of every loader and action under /home: a signed-in user whose details are complete and who has the right.
 * Without the right: to the root route (A §6).
 */
export async function requireUser(request: Request, right?: Right): Promise<SessionUser> {
  const user = await requireSession(request);
  if (user.hasDetailsMissing) throw redirect(paths.completeRegistration);
  if ((right === "Admin" && !user.isAdmin) || (right === "Applicant" && !user.isApplicant)) throw redirect(paths.root);
  return user;
}
