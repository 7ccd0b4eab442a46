import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { typedValues, type Typed } from "~/domain/drafts/typed-values";
import { quoted } from "~/domain/changed-meanwhile";
import { CODE_FIELDS, CONTACTS_PLACE } from "~/domain/codes/code-details-fields";
import { keepTyped, loadCodeDraft, startCodeDraft } from "~/domain/codes/code-draft.server";
import { beginningOf } from "~/domain/codes/code-page.server";
import { readCodeType } from "~/domain/codes/code-types";
import { NOT_EDITABLE } from "~/domain/codes/codes.policy";
import { readContactId } from "~/domain/codes/contacts.policy";
import { openCode, type OpenCode } from "~/domain/codes/open-code.server";
import { entityTypeLabel, type EntityType } from "~/domain/codes/entity-types";
import { startEntity, startSubEntity } from "~/domain/codes/registration.service.server";
import {
  keepStored,
  mergeContacts,
  noteOpened,
  removeContact,
  restoreContact,
} from "~/domain/codes/contact-form.server";
import { type MergedForm, mergeForm } from "~/domain/merge-form.server";
import { countryName, listCountryOptions } from "~/domain/reference/countries.server";
import { isPortalError, notFound } from "~/lib/errors";
import { FORM_ERROR } from "~/lib/form-error";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";
import { redirectWithToast } from "./flash.server";
import { draftIdOf } from "./purchase-draft.server";

const queryOf = (request: Request) => new URL(request.url).searchParams;

const LISTS: readonly string[] = [paths.codes, paths.searchCodes];

/** The list or search that a code was opened from, with its place; goes with every address of that code. */
export function cameFrom(request: Request): { from?: string } {
  const from = queryOf(request).get("from") ?? "";
  return LISTS.includes(from.split("?", 1)[0] ?? "") ? { from } : {};
}

/** Where Back leads. */
export const backFrom = (request: Request): string => cameFrom(request).from ?? paths.codes;

/** Begins a registration and goes to its form; to the list with the reason when there is nothing to register. */
async function begin(request: Request, start: () => Promise<string>): Promise<Response> {
  try {
    return redirect(paths.codeDetails({ draft: await start(), ...cameFrom(request) }));
  } catch (error) {
    if (!isPortalError(error) || error.status !== 409) throw error;
    return redirectWithToast(request, backFrom(request), { kind: "warn", text: error.message });
  }
}

const ENDED =
  "There is no such open form. Changes that are not saved are kept for 7 days after the last of them. Please begin again.";

/**
 * The code that an address is about: `draft`, `code`, `type` or `parent` (see `paths.codeDetails`). Else a redirect is thrown: from the
 * beginning of a registration to its form, from a form that was saved to its code, from nothing to the list (B §2). Throws a 404
 * PortalError for somebody else's.
 */
export async function requireCode(request: Request, user: SessionUser): Promise<OpenCode> {
  const query = queryOf(request);
  if (query.has("draft")) {
    const draft = await loadCodeDraft(user.id, draftIdOf(request));
    if (!draft) throw await redirectWithToast(request, paths.codes, { kind: "warn", text: ENDED });
    const { saved, target } = draft.data;
    if (saved !== undefined && request.method === "GET")
      throw redirect(paths.codeDetails({ code: saved, ...cameFrom(request) }));
    return openCode(user, target, draft);
  }
  if (query.has("code")) return openCode(user, { code: readId(query.get("code") ?? "") }, null);
  const type = query.get("type");
  const parent = query.get("parent");
  if (type === null && parent === null) throw redirect(paths.codes);
  const codeType = readCodeType(type ?? "");
  if (type !== null && !codeType) throw notFound();
  throw await begin(request, () =>
    codeType ? startEntity(user, codeType) : startSubEntity(user, readId(parent ?? "")),
  );
}

/** Entity types that came in one text, as a confirmed form sends them, are separate again. */
export function separateEntityTypes(form: FormData): void {
  const names = form.getAll("entityTypes").flatMap((value) => (typeof value === "string" ? value.split(",") : []));
  form.delete("entityTypes");
  for (const name of names.filter(Boolean)) form.append("entityTypes", name);
}

const typeLabels = (names: string) =>
  names
    .split(",")
    .map((name) => entityTypeLabel(name as EntityType))
    .join(", ");

const isOf = (group: string) => (name: string) => name.startsWith(`${group}.`);

/** Merges the form of a stored code, with the contacts that are held with it, with what is stored now (`mergeForm`). */
export async function mergeCode(
  request: Request,
  user: SessionUser,
  sent: FormData,
  labels: Readonly<Record<string, string>>,
): Promise<MergedForm> {
  const open = await requireCode(request, user);
  const countries = await listCountryOptions();
  const { entityTypes, otherText, ...others } = labels;
  const names = Object.keys(labels);
  const { draft } = open;
  const contacts = draft ? await mergeContacts(user.id, { open, draft }) : "";
  const merged = mergeForm(sent, await beginningOf(open), {
    labels: open.rules.entityTypes ? labels : others,
    version: "version",
    joined: [
      { names: ["entityTypes", "otherText"] },
      { names: ["useCompanyAddress", ...names.filter(isOf("physicalAddress"))], instead: "useCompanyAddress" },
      { names: ["usePhysicalAddress", ...names.filter(isOf("mailingAddress"))], instead: "usePhysicalAddress" },
    ],
    boxes: ["entityTypes", "useCompanyAddress", "usePhysicalAddress"],
    shown: (name, text) => (name === "entityTypes" ? quoted(typeLabels(text)) : countryName(countries, name, text)),
  });
  if (contacts !== "") merged.collisions[FORM_ERROR] = contacts;
  return merged;
}

/** What was typed, by field name: one text each. */
export function typedOf(form: FormData): Typed {
  const textOf = (name: string) => form.getAll(name).filter((value) => typeof value === "string");
  const sent = CODE_FIELDS.filter((name) => form.has(name)).map((name) => [name, textOf(name).join(",")]);
  return typedValues(Object.fromEntries(sent) as Typed, CODE_FIELDS);
}

/** The answer to a form of a code that its owner can edit no more: the code as it is now, and that nothing was saved. */
export function notEditable(request: Request, { stored }: OpenCode): Promise<Response> {
  if (!stored) throw notFound();
  const code = paths.codeDetails({ code: stored.id, ...cameFrom(request) });
  return redirectWithToast(request, code, { kind: "warn", text: NOT_EDITABLE });
}

/** Keeps what was typed on the code. Returns the id of the draft that has it. */
async function keepForm(user: SessionUser, { draft, target }: OpenCode, form: FormData): Promise<string> {
  const typed = typedOf(form);
  if (!draft) return startCodeDraft(user.id, target, typed);
  await keepTyped(user.id, draft, typed);
  return draft.id;
}

/** Keeps what was typed on the code and goes to one of its contacts, or to a new one. */
export async function toContact(request: Request, user: SessionUser, open: OpenCode, form: FormData) {
  if (!open.mayEdit) return notEditable(request, open);
  const draft = await keepForm(user, open, form);
  const pressed = form.get("contact");
  const opened = typeof pressed === "string" && pressed !== "new" ? { contact: readContactId(pressed) ?? 0 } : {};
  const kept = await loadCodeDraft(user.id, draft);
  if (kept && opened.contact !== undefined) await noteOpened(user.id, { open, draft: kept }, opened.contact);
  return redirect(paths.codeContact({ draft, ...opened, ...cameFrom(request) }), 303);
}

/**
 * Keeps what was typed, removes a contact (`remove`), puts the last one that was not saved back (`restore`) or keeps a stored one that was to
 * go (`keep`), and shows the form again. Contacts of the code change when it is saved.
 */
export async function changeHeldContacts(request: Request, user: SessionUser, open: OpenCode, form: FormData) {
  if (!open.mayEdit) return notEditable(request, open);
  const draft = await loadCodeDraft(user.id, await keepForm(user, open, form));
  if (!draft) throw notFound();
  const contacts = `${paths.codeDetails({ draft: draft.id, ...cameFrom(request) })}#${CONTACTS_PLACE}`;
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
