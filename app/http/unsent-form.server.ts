import { z } from "zod";
import { loadDraft, startDraft, type Wizard } from "~/domain/drafts/drafts.service.server";
import { type UnsentForm } from "~/domain/shell";
import { isPortalError } from "~/lib/errors";
import { readForm } from "./forms.server";
import { hadTypedSecrets, withoutSecrets } from "./responses.server";
import { readFields } from "./stale-form.server";

/** The values with the path of their page. An erasure deletes the forms on pages about the person. */
const unsentForm: Wizard<UnsentForm & { page: string }> = {
  kind: "unsent-form",
  schema: z.object({
    formId: z.string(),
    page: z.string().default(""),
    values: z.record(z.unknown()),
    hadSecrets: z.boolean().default(false),
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

/**
 * Stores the fields of a form for a day for this user, without passwords, answers and files. Returns the page that shows them again.
 *
 * @param formId The form to fill in, for fields that a question sends again. By default it is read from the fields; without it, the result
 * is null, because no form can be filled in.
 */
export async function keepForm(
  fields: FormData,
  { userId, page, formId }: { userId: number; page: string; formId?: string },
): Promise<string | null> {
  const sent = await readFields(fields);
  const named = sent.formId ?? formId;
  if (named === undefined) return null;
  const values = withoutSecrets(sent.submittedData);
  const hadSecrets = hadTypedSecrets(sent.submittedData);
  const [path] = page.split("?", 1);
  return pageWith(page, await startDraft(unsentForm, userId, { formId: named, page: path, values, hadSecrets }));
}

/**
 * Stores the fields of a form for the owner of the session that has ended. Returns the page that shows them again, or null for a form that
 * cannot be filled again or was not sent by a page of that session.
 */
export async function keepUnsent(request: Request, userId: number, page: string): Promise<string | null> {
  try {
    return await keepForm(await readForm(request), { userId, page });
  } catch (error) {
    if (isPortalError(error)) return null;
    throw error;
  }
}

/** Returns the stored fields that the page's address names if they are this user's, otherwise null. */
export async function findUnsent({ url }: Pick<Request, "url">, userId: number): Promise<UnsentForm | null> {
  const id = new URL(url, "http://portal.invalid").searchParams.get(UNSENT);
  const draft = id === null ? null : await loadDraft(unsentForm, userId, id);
  if (!draft) return null;
  const { page, ...form } = draft.data;
  return form;
}
