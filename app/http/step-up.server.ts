import { redirect } from "@remix-run/node";
import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { hasFreshProof } from "~/domain/accounts/factors/step-up.server";
import { findSubjectName } from "~/domain/accounts/personal-data/export.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Toast } from "~/domain/shell";
import { LARGEST_ID, readNumber } from "~/lib/list-params";
import { paths } from "~/lib/paths";
import { findPrivateFile } from "~/lib/private-files";
import { rarePaths } from "~/lib/rare-paths";
import { serverPaths } from "~/lib/server-paths.server";
import { requestedPage } from "./redirects";
import { type FormTask, PAGE_TASKS, type PageTask } from "./step-up-tasks.server";
import { findUnsent, findUnsentTask, isFilledAgain, keepForm } from "./unsent-form.server";

/** Returns whether a page is the one with the link to a file. */
export const isFilePage = (target: string): boolean => target.startsWith(rarePaths.privateFile(""));

/** What a user is about to do, as the page shows it that asks for the proof. */
interface AskedTask {
  /** The rest of the sentence "Confirm who you are to …", or null when it is not known. */
  task: string | null;
  /** The page that Cancel opens. A page that itself opens only after a proof is none. */
  backTo: string;
}

/** Returns the page task that an address names. It is one of a closed list, because anybody can make an address. */
function pageTask(request: Request): string | null {
  const task = new URL(request.url).searchParams.get("task") ?? "";
  return Object.hasOwn(PAGE_TASKS, task) ? PAGE_TASKS[task as PageTask] : null;
}

/** Returns the task of a user administrator who opens the data of a person, with the name of the person. Null for every other page. */
async function dataTask(target: string, user: SessionUser): Promise<AskedTask | null> {
  const id = readNumber(/^\/home\/users\/(\d+)\/data$/.exec(target)?.[1] ?? null, LARGEST_ID);
  const name = id && (await findSubjectName(user, id));
  return id && name ? { task: `${PAGE_TASKS.data}: ${name}`, backTo: paths.user(id) } : null;
}

/** Returns what the user is about to do: what the kept form says, the name of the file, or the task of the page that asks. */
export async function askedTask(request: Request, target: string, user: SessionUser): Promise<AskedTask> {
  const asked = await findUnsentTask({ url: target }, user.id);
  if (asked) return { task: asked.to, backTo: asked.isBehindProof ? paths.dashboard : target };
  if (!isFilePage(target))
    return (await dataTask(target, user)) ?? { task: pageTask(request), backTo: paths.dashboard };
  const file = findPrivateFile(new URL(target, "http://portal.invalid").searchParams.get("address") ?? "");
  return { task: file && `download the ${file.name}`, backTo: target };
}

const CONFIRMED = `You have confirmed that it is you, for ${PROOF_MINUTES} minutes.`;

/** Returns what a user who comes back to a form reads: what to press now, and what is left of what they typed. */
async function formText(target: string, user: { id: number }, asked: FormTask | null): Promise<string> {
  const unsent = await findUnsent({ url: target }, user.id);
  return [
    CONFIRMED,
    "Nothing was changed yet.",
    asked?.button ? `Now press “${asked.button}” to ${asked.to}.` : "Now press the button again.",
    unsent && unsent.formId !== "" && "If you typed something, it is still there.",
    unsent?.hadSecrets && "Only passwords and answers must be typed again: they are not kept.",
    "If the button is gone, your rights have changed, or the page says what has happened meanwhile.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Returns the message on the page that a user returns to after the proof, with the card where the button is. */
export async function confirmedToast(target: string, user: { id: number } | null): Promise<Toast> {
  if (isFilePage(target)) return { kind: "ok", text: `${CONFIRMED} Now download the file.` };
  if (!user || !isFilledAgain(target)) return { kind: "ok", text: CONFIRMED };
  const asked = await findUnsentTask({ url: target }, user.id);
  return { kind: "ok", text: await formText(target, user, asked), at: asked?.at };
}

const needsProof = async (user: SessionUser): Promise<boolean> => !user.impersonator && !(await hasFreshProof(user));

/**
 * Redirects a user who has not proved within ten minutes who they are to a page that asks for it, and from there back to the requested
 * page, or for a file to the page that links to it. An administrator who acts as a user is not asked, because what they do is no task of
 * staff. For loaders.
 */
export async function requireStepUp(request: Request, user: SessionUser, task: PageTask): Promise<void> {
  if (await needsProof(user)) throw redirect(serverPaths.confirm(requestedPage(request), task));
}

interface SentForm {
  /** What `readForm` has returned. */
  fields: FormData;
  /** The id of the page's form, which is filled in again. A question before the task sends fields without it. */
  formId?: string;
}

/**
 * Does the same for a form, which then changes nothing: its fields are filled in again, and the user sends it a second time.
 *
 * @param task Returns what the form does, which the page in between names. It is called only when the page is needed.
 */
export async function requireFormStepUp(
  request: Request,
  user: SessionUser,
  { fields, formId }: SentForm,
  task: () => FormTask | Promise<FormTask>,
): Promise<void> {
  if (!(await needsProof(user))) return;
  const kept = { userId: user.id, page: requestedPage(request), task: await task(), ...(formId && { formId }) };
  throw redirect(serverPaths.confirm(await keepForm(fields, kept)), 303);
}
