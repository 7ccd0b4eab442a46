import { redirect } from "@remix-run/node";
import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { hasFreshProof } from "~/domain/accounts/factors/step-up.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { checkAnchor } from "~/domain/certificates/queue/queue-fields";
import { paths } from "~/lib/paths";
import { findPrivateFile } from "~/lib/private-files";
import { serverPaths } from "~/lib/server-paths.server";
import { requestedPage } from "./redirects";
import { findUnsent, isFilledAgain, keepForm } from "./unsent-form.server";

/** The tasks that need a fresh proof, as the page names them that asks for it. */
const TASKS = {
  approve: "Approve an order",
  "approve-many": "Approve orders",
  reissue: "Reissue a certificate",
  revoke: "Revoke a certificate of somebody else",
  account: "Change an account or its rights",
  "log-in-as": "Log in as a user",
  decide: "Decide about a request of another user administrator",
  settings: "Change the settings of the portal",
  security: "Change your email address, password or security question",
  factors: "Change your second factors",
  client: "Make or change an API client",
  "own-data": "See everything that this portal holds about you",
  data: "See everything that this portal holds about a person",
  erasure: "Have your data erased",
  file: "Download a file",
} as const;

export type StepUpTask = keyof typeof TASKS;

/** Returns the name of the task that the address of the page names, or null. A file is named itself. */
export function taskIn(request: Request, target: string): string | null {
  const file =
    isFilePage(target) && findPrivateFile(new URL(target, "http://portal.invalid").searchParams.get("address") ?? "");
  if (file) return `Download the ${file.name}`;
  const task = namedTask(request);
  return task && TASKS[task];
}

function namedTask(request: Request): StepUpTask | null {
  const task = new URL(request.url).searchParams.get("task") ?? "";
  return Object.hasOwn(TASKS, task) ? (task as StepUpTask) : null;
}

/** The anchors of the cards to which users return after the proof, where the button is far below the top of the page. */
const RETURNS_TO: Partial<Record<StepUpTask, string>> = { approve: checkAnchor(null) };

/** Returns the anchor of the card to which a user returns after the proof, or undefined for the top of the page. */
export function returnAnchor(request: Request): string | undefined {
  const task = namedTask(request);
  return task ? RETURNS_TO[task] : undefined;
}

/** Returns whether a page is the one with the link to a file. */
export const isFilePage = (target: string): boolean => target.startsWith(paths.privateFile(""));

/** Returns the message on the page that a user returns to after the proof. */
export async function confirmedText(target: string, user: { id: number } | null): Promise<string> {
  const text = `You have confirmed that it is you, for ${PROOF_MINUTES} minutes.`;
  if (isFilePage(target)) return `${text} Now download the file.`;
  if (!isFilledAgain(target)) return `${text} Nothing was changed yet.`;
  const unsent = user && (await findUnsent({ url: target }, user.id));
  const secrets = unsent?.hadSecrets ? " Only passwords and answers must be typed again: they are not kept." : "";
  return `${text} Nothing was changed yet: please press the button again. What you typed is still there.${secrets} If the button is gone, your rights have changed, or the page says what has happened meanwhile.`;
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
 * @param task What the user wants to do, which the page names.
 * @param form The form that was sent. Omitted by loaders.
 */
export async function requireStepUp(
  request: Request,
  user: SessionUser,
  task: StepUpTask,
  form?: SentForm,
): Promise<void> {
  if (user.impersonator || (await hasFreshProof(user))) return;
  const page = requestedPage(request);
  const { fields, ...rest } = form ?? {};
  const kept = fields ? await keepForm(fields, { userId: user.id, page, ...rest }) : null;
  throw redirect(serverPaths.confirm(kept ?? page, task), form ? 303 : 302);
}
