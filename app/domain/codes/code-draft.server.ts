import { z } from "zod";
import {
  type Draft,
  findResumable,
  loadDraft,
  saveDraft,
  startDraft,
  type Wizard,
} from "~/domain/drafts/drafts.service.server";
import { notFound } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { lockDraft, updateDraft } from "~db/repositories/drafts.server";
import { CODE_TYPES } from "~db/tables";
import { heldContactSchema } from "./code-contact.schema";

/** What the form is about: a code, the registration of an entity of a type, or of a sub-entity under a code. */
const targetSchema = z.union([
  z.object({ code: z.number().int() }),
  z.object({ type: z.enum(CODE_TYPES) }),
  z.object({ parent: z.number().int() }),
]);

export type CodeTarget = z.infer<typeof targetSchema>;

const codeDraftSchema = z.object({
  target: targetSchema,
  /** The code's form as it was typed, by field name. */
  typed: z.record(z.string()).optional(),
  /** New and changed contacts, which are saved with the code. */
  contacts: z.array(heldContactSchema),
  /** Ids of the stored contacts that go when the code is saved. */
  gone: z.array(z.number().int()).default([]),
  /** The one of them that was removed last, until the next change of them. */
  removed: heldContactSchema.optional(),
  /** The stored contacts as they were when they were opened, removed or replaced: to find what somebody else changes meanwhile. */
  known: z.array(heldContactSchema).default([]),
  /** The code that it was saved as: then the draft is at its end. */
  saved: z.number().int().optional(),
});

export type CodeDraftData = z.infer<typeof codeDraftSchema>;
export type CodeDraft = Draft<CodeDraftData>;

const codeForm: Wizard<CodeDraftData> = { kind: "code-details", schema: codeDraftSchema };

/** Begins a form. Out: its id. */
export const startCodeDraft = (userId: number, target: CodeTarget, typed?: Record<string, string>): Promise<string> =>
  startDraft(codeForm, userId, { target, contacts: [], gone: [], known: [], ...(typed && { typed }) });

/** The user's own form, or null when it is missing, ended or somebody else's. */
export const loadCodeDraft = (userId: number, id: string | null): Promise<CodeDraft | null> =>
  loadDraft(codeForm, userId, id);

const changesContacts = ({ contacts, gone }: CodeDraftData): boolean => contacts.length > 0 || gone.length > 0;

/** Whether something was typed, filled in or removed. */
export const isBegun = (data: CodeDraftData): boolean => data.typed !== undefined || changesContacts(data);

/**
 * Another form about the same that was left before it was saved, the one that was changed last: of a stored code one that holds contacts
 * (others hold nothing but what is stored, as far as anybody knows), of a registration any that was begun.
 */
export function findUnsaved(userId: number, target: CodeTarget, draft: CodeDraft | null): Promise<CodeDraft | null> {
  const isUnsaved = (data: CodeDraftData) =>
    data.saved === undefined &&
    JSON.stringify(data.target) === JSON.stringify(target) &&
    ("code" in target ? changesContacts(data) : isBegun(data));
  return findResumable(userId, { id: draft?.id ?? "", wizard: codeForm }, isUnsaved);
}

export async function keepTyped(userId: number, draft: CodeDraft, typed: Record<string, string>): Promise<void> {
  await saveDraft(userId, draft, (data) => ({ ...data, typed }));
}

/** The held contacts, the stored ones that go, and the held one that was removed last. */
export type Held = Pick<CodeDraftData, "contacts" | "gone" | "removed"> & Partial<Pick<CodeDraftData, "known">>;

/** Changes the held contacts; `change` gives null for a contact that is not among them. Throws a 404 PortalError then. */
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

/** The form's data, held until the transaction ends, so that it is saved once. Throws a 404 PortalError when it is there no more. */
export async function lockCodeDraft(trx: Trx, userId: number, { id }: CodeDraft): Promise<CodeDraftData> {
  const row = await lockDraft(trx, { id, userId, kind: codeForm.kind });
  if (!row) throw notFound();
  return codeDraftSchema.parse(JSON.parse(row.data));
}

/** Ends a form that was saved: what was typed goes, the way to the code stays. */
export const endCodeDraft = (trx: Trx, { id, data }: CodeDraft, codeId: number): Promise<void> =>
  updateDraft(trx, id, { data: JSON.stringify({ target: data.target, contacts: [], gone: [], saved: codeId }) });
