import { type SessionUser } from "~/domain/accounts/session-user";
import { maySearchCodes } from "~/domain/codes/search.service.server";
import { refusePage, requireUser } from "./guard.server";

/** Returns a user who has a code or the right Admin. Redirects everybody else to the dashboard, as without any other right (SRC-02). */
export async function requireSearcher(request: Request): Promise<SessionUser> {
  const user = await requireUser(request);
  if (!(await maySearchCodes(user))) throw await refusePage(request, "staff and owners of codes");
  return user;
}
