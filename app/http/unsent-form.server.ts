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

/** The name in the address of the page that shows the form again. */
const UNSENT = "unsent";

/**
 * Keeps the fields of a form for the owner of the session that has ended, without passwords, answers and files, for a day. Returns the page
 * that shows them again, or null for a form that cannot be filled again or that the session's page did not send.
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

/** Returns the fields that the page's address names, if they are this user's; otherwise null. */
export async function findUnsent(request: Request, userId: number): Promise<UnsentForm | null> {
  const id = new URL(request.url).searchParams.get(UNSENT);
  return id === null ? null : ((await loadDraft(unsentForm, userId, id))?.data ?? null);
}
