import { redirect } from "@remix-run/node";
import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { hasFreshProof } from "~/domain/accounts/factors/step-up.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { requestedPage } from "./guard.server";
import { isFilledAgain, keepForm } from "./unsent-form.server";

/** Returns whether a page is the one with the link to a file. */
export const isFilePage = (target: string): boolean => target.startsWith(paths.privateFile(""));

/** Returns the message on the page that a user returns to after the proof. */
export function confirmedText(target: string): string {
  const text = `You have confirmed that it is you, for ${PROOF_MINUTES} minutes.`;
  if (isFilePage(target)) return `${text} Now download the file.`;
  if (!isFilledAgain(target)) return `${text} Nothing was changed yet.`;
  return `${text} Nothing was changed yet: what you typed is in the form again. Please send it again.`;
}

interface SentForm {
  /** What `readForm` has returned. */
  fields: FormData;
  /** The id of the page's form, which is filled in again. A question before the task sends fields without it. */
  formId?: string;
}

/**
 * Redirects a user who has not proved within ten minutes who they are to a page that asks for it, and from there back to the requested
 * page. A form changes nothing: its fields are filled in again, and the user sends it a second time. The page of a file is the one that
 * links to it. An administrator who acts as a user is not asked, because what they do is no task of staff.
 *
 * @param form The form that was sent. Omitted by loaders.
 */
export async function requireStepUp(request: Request, user: SessionUser, form?: SentForm): Promise<void> {
  if (user.impersonator || (await hasFreshProof(user))) return;
  const page = requestedPage(request);
  const { fields, ...rest } = form ?? {};
  const kept = fields ? await keepForm(fields, { userId: user.id, page, ...rest }) : null;
  throw redirect(serverPaths.confirm(kept ?? page), form ? 303 : 302);
}
