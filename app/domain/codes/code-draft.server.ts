import { z } from "zod";
import {
  type Draft,
  listResumable,
  loadDraft,
  saveDraft,
  startDraft,
  type Wizard,
} from "~/domain/drafts/drafts.service.server";
import { notFound } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { lockDraft, updateDraft } from "~db/repositories/drafts.server";
import { CODE_TYPES } from "~db/tables/codes";
import { heldContactSchema } from "./code-contact.schema";

/** What the form is for: a stored code, a new entity with a code of a type, or a new sub-entity under a code. */
const targetSchema = z.union([
  z.object({ code: z.number().int() }),
  z.object({ type: z.enum(CODE_TYPES) }),
  z.object({ parent: z.number().int() }),
]);

export type CodeTarget = z.infer<typeof targetSchema>;

const codeDraftSchema = z.object({
  target: targetSchema,
  /** The code's form as typed, by field name. */
  typed: z.record(z.string()).optional(),
  /** The new and changed contacts, which are saved with the code. */
  contacts: z.array(heldContactSchema),
  /** The ids of the stored contacts to remove when the code is saved. */
  gone: z.array(z.number().int()).default([]),
  /** The held contact that was removed last, until the contacts are changed again. */
  removed: heldContactSchema.optional(),
  /** The stored contacts as they were when they were opened, removed or replaced. They show what somebody else changes meanwhile. */
  known: z.array(heldContactSchema).default([]),
  /** The id of the saved code. It ends the draft. */
  saved: z.number().int().optional(),
});

export type CodeDraftData = z.infer<typeof codeDraftSchema>;
export type CodeDraft = Draft<CodeDraftData>;

const codeForm: Wizard<CodeDraftData> = { kind: "code-details", schema: codeDraftSchema, isOfCompany: true };

/** Starts the draft of a form. Returns its id. */
export const startCodeDraft = (userId: number, target: CodeTarget, typed?: Record<string, string>): Promise<string> =>
  startDraft(codeForm, userId, { target, contacts: [], gone: [], known: [], ...(typed && { typed }) });

/** Returns the user's own draft, or null when it is missing, ended or somebody else's. */
export const loadCodeDraft = (userId: number, id: string | null): Promise<CodeDraft | null> =>
  loadDraft(codeForm, userId, id);

const changesContacts = ({ contacts, gone }: CodeDraftData): boolean => contacts.length > 0 || gone.length > 0;

/** Returns whether something was typed, filled in or removed. */
export const isBegun = (data: CodeDraftData): boolean => data.typed !== undefined || changesContacts(data);

/**
 * Returns the other draft for the same target that was left before it was saved, the one that was changed last, or null. For a stored code,
 * only a draft with changed contacts counts, because the rest may be unchanged. For a registration, any draft counts that was begun.
 */
export async function findUnsaved(
  userId: number,
  target: CodeTarget,
  draft: CodeDraft | null,
): Promise<CodeDraft | null> {
  const isUnsaved = (data: CodeDraftData) =>
    data.saved === undefined &&
    JSON.stringify(data.target) === JSON.stringify(target) &&
    ("code" in target ? changesContacts(data) : isBegun(data));
  const [latest] = await listResumable(userId, { id: draft?.id ?? "", wizard: codeForm }, isUnsaved);
  return latest ?? null;
}

export async function keepTyped(userId: number, draft: CodeDraft, typed: Record<string, string>): Promise<void> {
  await saveDraft(userId, draft, (data) => ({ ...data, typed }));
}

/** The held contacts, the stored ones to remove, and the held one that was removed last. */
export type Held = Pick<CodeDraftData, "contacts" | "gone" | "removed"> & Partial<Pick<CodeDraftData, "known">>;

/**
 * Changes the held contacts. Throws a PortalError (404) when `change` returns null because the contact does not exist, or when the draft
 * has ended.
 */
export async function keepContacts(
  userId: number,
  draft: CodeDraft,
  change: (held: Held) => Held | null,
): Promise<void> {
  const saved = await saveDraft(userId, draft, (data) => {
    const held = change(data);
    if (!held) throw notFound();
    const { contacts, gone, removed, known = data.known } = held;
    return { ...data, contacts, gone, removed, known };
  });
  if (!saved) throw notFound();
}

/**
 * Returns the data of a draft and locks it until the transaction ends, so that it is saved only once. Throws a PortalError (404) when the
 * draft no longer exists.
 */
export async function lockCodeDraft(trx: Trx, userId: number, { id }: CodeDraft): Promise<CodeDraftData> {
  const row = await lockDraft(trx, { id, userId, kind: codeForm.kind });
  if (!row) throw notFound();
  return codeDraftSchema.parse(JSON.parse(row.data));
}

/** Ends the draft of a form that was saved. It keeps the id of the code and deletes what was typed. */
export const endCodeDraft = (trx: Trx, { id, data }: CodeDraft, codeId: number): Promise<void> =>
  updateDraft(trx, id, { data: JSON.stringify({ target: data.target, contacts: [], gone: [], saved: codeId }) });
