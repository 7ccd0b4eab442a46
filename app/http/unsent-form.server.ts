import { z } from "zod";
import { loadDraft, startDraft, type Wizard } from "~/domain/drafts/drafts.service.server";
import { type UnsentForm } from "~/domain/shell";
import { isPortalError } from "~/lib/errors";
import { readForm } from "./forms.server";
import { withoutSecrets } from "./responses.server";
import { readFields } from "./stale-form.server";

const unsentForm: Wizard<UnsentForm> = {
  kind: "unsent-form",
  schema: z.object({ formId: z.string(), values: z.record(z.unknown()) }),
  lifetime: 24 * 3_600_000,
};

/** The query parameter of the page that shows the form again. */
const UNSENT = "unsent";

/**
 * Stores the fields of a form for a day for the owner of the session that has ended, without passwords, answers and files. Returns the page
 * that shows them again, or null for a form that cannot be filled again or was not sent by a page of that session.
 */
export async function keepUnsent(request: Request, userId: number, page: string): Promise<string | null> {
  try {
    const { submittedData, formId } = await readFields(await readForm(request));
    if (formId === undefined) return null;
    const id = await startDraft(unsentForm, userId, { formId, values: withoutSecrets(submittedData) });
    return `${page}${page.includes("?") ? "&" : "?"}${UNSENT}=${id}`;
  } catch (error) {
    if (isPortalError(error)) return null;
    throw error;
  }
}

/** Returns the stored fields that the page's address names if they are this user's, otherwise null. */
export async function findUnsent(request: Request, userId: number): Promise<UnsentForm | null> {
  const id = new URL(request.url).searchParams.get(UNSENT);
  return id === null ? null : ((await loadDraft(unsentForm, userId, id))?.data ?? null);
}
