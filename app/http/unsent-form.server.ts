import { z } from "zod";
import { loadDraft, startDraft, type Wizard } from "~/domain/drafts/drafts.service.server";
import { type UnsentForm } from "~/domain/shell";
import { isPortalError } from "~/lib/errors";
import { readForm } from "./forms.server";
import { hadTypedSecrets, withoutSecrets } from "./responses.server";
import { readFields } from "./stale-form.server";
import { type FormTask } from "./step-up-tasks.server";

/**
 * The values with the path of their page, and the task of a form that waits for a fresh proof. An erasure deletes the forms on pages about
 * the person. `formId` is "" for fields that fill in no form.
 */
const unsentForm: Wizard<UnsentForm & { page: string; task?: FormTask | undefined }> = {
  kind: "unsent-form",
  schema: z.object({
    formId: z.string(),
    page: z.string().default(""),
    values: z.record(z.unknown()),
    hadSecrets: z.boolean().default(false),
    task: z
      .object({
        to: z.string(),
        button: z.string(),
        at: z.string().optional(),
        isBehindProof: z.boolean().optional(),
      })
      .optional(),
  }),
  lifetime: 24 * 3_600_000,
};

/** The query parameter of the page that shows the form again. */
const UNSENT = "unsent";

/** Returns the page with the parameter that names the stored fields, in the place of an earlier one. */
function pageWith(page: string, id: string): string {
  const [path = "", query = ""] = page.split("?", 2);
  const others = query.split("&").filter((part) => part !== "" && !part.startsWith(`${UNSENT}=`));
  return `${path}?${[...others, `${UNSENT}=${id}`].join("&")}`;
}

/** Returns whether the address is that of a page with a form that is filled in again. */
export const isFilledAgain = (address: string): boolean =>
  new URL(address, "http://portal.invalid").searchParams.has(UNSENT);

interface Kept {
  userId: number;
  page: string;
  /** The form to fill in, for fields that a question sends again. By default it is read from the fields. */
  formId?: string;
  /** What the form does, when it waits for a fresh proof. */
  task?: FormTask;
}

/**
 * Stores the fields of a form for a day for this user, without passwords, answers and files. Returns the page that shows them again, or
 * that shows no form with them when no form is named.
 */
export async function keepForm(fields: FormData, { userId, page, formId, task }: Kept): Promise<string> {
  const sent = await readFields(fields);
  const values = withoutSecrets(sent.submittedData);
  const hadSecrets = hadTypedSecrets(sent.submittedData);
  const [path = ""] = page.split("?", 1);
  const kept = { formId: sent.formId ?? formId ?? "", page: path, values, hadSecrets, task };
  return pageWith(page, await startDraft(unsentForm, userId, kept));
}

/**
 * Stores the fields of a form for the owner of the session that has ended. Returns the page that shows them again, or null for a form that
 * cannot be filled again or was not sent by a page of that session.
 */
export async function keepUnsent(request: Request, userId: number, page: string): Promise<string | null> {
  try {
    const fields = await readForm(request);
    return (await readFields(fields)).formId === undefined ? null : await keepForm(fields, { userId, page });
  } catch (error) {
    if (isPortalError(error)) return null;
    throw error;
  }
}

async function findKept({ url }: Pick<Request, "url">, userId: number) {
  const id = new URL(url, "http://portal.invalid").searchParams.get(UNSENT);
  const draft = id === null ? null : await loadDraft(unsentForm, userId, id);
  return draft?.data ?? null;
}

/** Returns the stored fields that the page's address names if they are this user's, otherwise null. */
export async function findUnsent(request: Pick<Request, "url">, userId: number): Promise<UnsentForm | null> {
  const kept = await findKept(request, userId);
  if (!kept) return null;
  const { page: _, task: _task, ...form } = kept;
  return form;
}

/** Returns what the form does that the page's address names, when it waits for a fresh proof of this user, otherwise null. */
export const findUnsentTask = async (request: Pick<Request, "url">, userId: number): Promise<FormTask | null> =>
  (await findKept(request, userId))?.task ?? null;
