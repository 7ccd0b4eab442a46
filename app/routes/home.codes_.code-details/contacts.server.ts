import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { CODE_FIELDS, CONTACTS_ANCHOR } from "~/domain/codes/code-details-fields";
import { keepTyped, loadCodeDraft, startCodeDraft } from "~/domain/codes/code-draft.server";
import { keepStored, noteOpened, removeContact, restoreContact } from "~/domain/codes/contact-form.server";
import { readContactId } from "~/domain/codes/contacts.policy";
import { type OpenCode } from "~/domain/codes/open-code.server";
import { typedValues, type Typed } from "~/domain/drafts/typed-values";
import { redirectWithToast } from "~/http/flash.server";
import { isPortalError, notFound } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { cameFrom } from "./came-from";
import { notEditable } from "./code.server";

/** Returns the typed values by field name, one text each. */
export function typedOf(form: FormData): Typed {
  const textOf = (name: string) => form.getAll(name).filter((value) => typeof value === "string");
  const sent = CODE_FIELDS.filter((name) => form.has(name)).map((name) => [name, textOf(name).join(",")]);
  return typedValues(Object.fromEntries(sent) as Typed, CODE_FIELDS);
}

/** Stores the typed values of the code. Returns the id of the draft that has them. */
async function keepForm(user: SessionUser, { draft, target }: OpenCode, form: FormData): Promise<string> {
  const typed = typedOf(form);
  if (!draft) return startCodeDraft(user.id, target, typed);
  await keepTyped(user.id, draft, typed);
  return draft.id;
}

/** Stores the typed values of the code and redirects to one of its contacts, or to a new one. */
export async function toContact(request: Request, user: SessionUser, open: OpenCode, form: FormData) {
  if (!open.mayEdit) return notEditable(request, open);
  const draft = await keepForm(user, open, form);
  const pressed = form.get("contact");
  const opened = typeof pressed === "string" && pressed !== "new" ? { contact: readContactId(pressed) ?? 0 } : {};
  const kept = await loadCodeDraft(user.id, draft);
  if (kept && opened.contact !== undefined) await noteOpened(user.id, { open, draft: kept }, opened.contact);
  return redirect(rarePaths.codeContact({ draft, ...opened, ...cameFrom(request) }), 303);
}

/**
 * Stores the typed values, changes the contacts, and shows the form again. `remove` removes a contact, `restore` brings back the last
 * removed contact that was not saved, and `keep` keeps a stored contact that was to be removed. The contacts of the code change when the
 * code is saved.
 */
export async function changeHeldContacts(request: Request, user: SessionUser, open: OpenCode, form: FormData) {
  if (!open.mayEdit) return notEditable(request, open);
  const draft = await loadCodeDraft(user.id, await keepForm(user, open, form));
  if (!draft) throw notFound();
  const contacts = `${paths.codeDetails({ draft: draft.id, ...cameFrom(request) })}#${CONTACTS_ANCHOR}`;
  const [removed, kept] = [form.get("remove"), form.get("keep")];
  try {
    if (typeof removed === "string") await removeContact(user.id, { open, draft }, readContactId(removed) ?? 0);
    else if (typeof kept === "string") await keepStored(user.id, { open, draft }, readContactId(kept) ?? 0);
    else await restoreContact(user.id, { open, draft });
  } catch (error) {
    if (!isPortalError(error) || error.field === undefined) throw error;
    return redirectWithToast(request, contacts, { kind: "warn", text: error.message });
  }
  return redirect(contacts, 303);
}
