import { randomBytes } from "node:crypto";
import { type z } from "zod";
import { DAY } from "~/lib/dates";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { findCompanyId } from "~db/repositories/companies.server";
import {
  deleteExpiredDrafts,
  findDraft,
  insertDraft,
  listOpenDrafts,
  lockDraft,
  updateDraft,
  type DraftRow,
} from "~db/repositories/drafts.server";
import { type DraftKind } from "~db/tables";
import { inTransaction } from "~db/transaction.server";

/** A wizard, or a form over several pages, whose state is stored in drafts. */
export interface Wizard<Data> {
  kind: DraftKind;
  schema: z.ZodType<Data, z.ZodTypeDef, unknown>;
  /** Whether a draft belongs to the company in which the person works when it begins. */
  isOfCompany?: true;
  /** How long a draft is kept after its last change, in milliseconds. The default is seven days. */
  lifetime?: number;
}

/** How long a draft is kept after its last change, in milliseconds, unless its wizard says otherwise. */
export const DRAFT_LIFE_MS = 7 * DAY;

/** Returns when a draft ends that is changed now. */
const endOf = ({ lifetime = DRAFT_LIFE_MS }: Pick<Wizard<unknown>, "lifetime">, now: Date): Date =>
  new Date(now.getTime() + lifetime);

export interface Draft<Data> {
  id: string;
  /** The account that began it. */
  userId: number;
  wizard: Wizard<Data>;
  data: Data;
  /** The stored text of the data. It is the same only if nobody has changed the draft meanwhile. */
  stored: string;
  orderId: number | null;
  /** When it was handed over to colleagues, an ISO timestamp, or null. */
  handedOverAt: string | null;
  updatedAt: string;
  expiresAt: string;
}

/** Returns a stored draft, or null when it is that of an older version. */
export function parseDraft<Data>(wizard: Wizard<Data>, row: DraftRow): Draft<Data> | null {
  const data = wizard.schema.safeParse(JSON.parse(row.data));
  if (!data.success) return null;
  const { id, userId, orderId, handedOverAt, updatedAt, expiresAt } = row;
  return { id, userId, wizard, data: data.data, stored: row.data, orderId, handedOverAt, updatedAt, expiresAt };
}

/** Returns the id of a new draft: 128 random bits in base64url. */
export const newDraftId = (): string => randomBytes(16).toString("base64url");

/** Stores a new draft of a user with this id. */
export async function storeDraft<Data extends object>(
  db: DbOrTrx,
  wizard: Wizard<Data>,
  { id, userId, data }: { id: string; userId: number; data: Partial<Data> },
  now: Date,
): Promise<void> {
  const times = { createdAt: now, updatedAt: now, expiresAt: endOf(wizard, now) };
  const companyId = wizard.isOfCompany ? await findCompanyId(db, userId) : null;
  await insertDraft(db, { id, userId, companyId, kind: wizard.kind, data: JSON.stringify(data), ...times });
}

/** Starts a draft of this user. Returns its id. */
export async function startDraft<Data extends object>(
  wizard: Wizard<Data>,
  userId: number,
  data: Partial<Data> = {},
  now = new Date(),
): Promise<string> {
  const id = newDraftId();
  await deleteExpiredDrafts(getDb(), now, userId);
  await storeDraft(getDb(), wizard, { id, userId, data }, now);
  return id;
}

/**
 * Returns the draft if this person may open it: it is their own, for the company in which they work now, or a colleague has handed it over.
 * Returns null when it is missing, unknown, ended or somebody else's.
 */
export async function loadDraft<Data>(
  wizard: Wizard<Data>,
  userId: number,
  id: string | null,
  now = new Date(),
): Promise<Draft<Data> | null> {
  const row = id ? await findDraft(getDb(), { id, userId, kind: wizard.kind }, now) : null;
  return row && parseDraft(wizard, row);
}

/**
 * Changes an open draft and extends its life. Returns the new draft, or null when the draft is no longer open.
 *
 * @param change Called with the currently stored data. Returns the new data.
 */
export async function saveDraft<Data>(
  userId: number,
  { id, wizard }: Pick<Draft<Data>, "id" | "wizard">,
  change: (data: Data) => Data,
  now = new Date(),
): Promise<Draft<Data> | null> {
  return inTransaction(async (trx) => {
    const row = await lockDraft(trx, { id, userId, kind: wizard.kind }, now);
    const draft = row && parseDraft(wizard, row);
    if (!draft) return null;
    // Parsing puts the fields in the order of the schema, so that the same data is always the same text.
    const data = wizard.schema.parse(change(draft.data));
    const stored = JSON.stringify(data);
    await updateDraft(trx, id, { data: stored, expiresAt: endOf(wizard, now) });
    return { ...draft, data, stored };
  });
}

/** Ends a draft that has become an order. Deletes what was typed, and keeps the data with which it began and the id of the order. */
export const clearDraft = (trx: Trx, id: string, orderId: number, begunWith: object): Promise<void> =>
  updateDraft(trx, id, { data: JSON.stringify(begunWith), orderId });

/** Returns the other open drafts of this user that can be resumed, last changed first. */
export async function listResumable<Data>(
  userId: number,
  { id, wizard }: Pick<Draft<Data>, "id" | "wizard">,
  isResumable: (data: Data) => boolean,
  now = new Date(),
): Promise<Draft<Data>[]> {
  const rows = await listOpenDrafts(getDb(), { userId, kind: wizard.kind }, now);
  const drafts = rows.filter((row) => row.id !== id).map((row) => parseDraft(wizard, row));
  return drafts.filter((draft) => draft !== null).filter(({ data }) => isResumable(data));
}
