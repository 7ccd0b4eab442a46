import { type Trx } from "~db/connection.server";
import {
  type AuditHead,
  type AuditRow,
  insertEntries,
  listUnsealed,
  lockHead,
  moveHead,
  storeSeal,
} from "~db/repositories/audit-chain.server";
import { type ChainKey, newestKey } from "./chain-keys.server";
import { entryMac, headSeal } from "./seals.server";

/** An entry without its position in the chain: everything that says what happened. */
export type UnsealedEntry = Omit<AuditRow, "id" | "searchText" | "sequence" | "previous" | "mac" | "keyId">;
type Stands = Omit<AuditHead, "id" | "seal">;

/** Seals the entry that follows `head`. Returns its row and the new head. */
function seal(key: ChainKey, head: Stands, entry: UnsealedEntry, id: number) {
  const row = { ...entry, id, sequence: head.sequence + 1, previous: head.mac, keyId: key.id };
  const mac = entryMac(key, row);
  return { row: { ...row, mac }, head: { ...head, sequence: row.sequence, entryId: id, mac, keyId: key.id } };
}

const saveHead = (trx: Trx, key: ChainKey, head: Stands) => moveHead(trx, { ...head, seal: headSeal(key, head) });

/** The number of older entries, from before the chain, that one step seals. */
const OLDER_AT_ONCE = 1000;

/** Seals the next older entries, from before the chain. Returns the head after them. */
async function sealOlder(trx: Trx, key: ChainKey, from: Stands, untilId: number): Promise<Stands> {
  const { entryId } = from;
  let head = from;
  const rows = await listUnsealed(trx, untilId, OLDER_AT_ONCE);
  for (const { id, ...entry } of rows) {
    const sealed = seal(key, head, entry, id);
    head = { ...sealed.head, entryId };
    await storeSeal(trx, sealed.row);
  }
  return rows.length < OLDER_AT_ONCE ? { ...head, unsealedUntil: null } : head;
}

const olderSealed = (count: number, at: string): UnsealedEntry => ({
  at,
  actorId: null,
  actorName: "audit",
  impersonatorId: null,
  event: "audit.older-entries-sealed",
  message: `Sealed the entries from before the audit trail was chained: ${count}.`,
  userId: null,
  orderId: null,
  certificateId: null,
  codeId: null,
  reference: null,
});

async function append(trx: Trx, key: ChainKey, from: Stands, entries: readonly UnsealedEntry[]): Promise<void> {
  let head = from;
  const rows = entries.map((entry) => {
    const sealed = seal(key, head, entry, head.entryId + 1);
    head = sealed.head;
    return sealed.row;
  });
  await insertEntries(trx, rows);
  await saveHead(trx, key, head);
}

const now = () => new Date().toISOString();

async function standing(trx: Trx): Promise<Stands> {
  const { sequence, entryId, mac, unsealedUntil, keyId } = await lockHead(trx);
  return { sequence, entryId, mac, unsealedUntil, keyId };
}

/**
 * Adds entries to the chain. This is the last work of a transaction, because the head stays locked until the transaction ends. Entries from
 * before the chain are sealed first, if that has not been done yet.
 */
export async function appendEntries(trx: Trx, entries: readonly UnsealedEntry[]): Promise<void> {
  const key = newestKey();
  let head = await standing(trx);
  if (head.unsealedUntil === null) return append(trx, key, head, entries);
  while (head.unsealedUntil !== null) head = await sealOlder(trx, key, head, head.unsealedUntil);
  await append(trx, key, head, [olderSealed(head.sequence, now()), ...entries]);
}

/** Seals up to a thousand entries from before the chain. Returns whether some may be left. */
export async function sealSome(trx: Trx): Promise<boolean> {
  const key = newestKey();
  const from = await standing(trx);
  if (from.unsealedUntil === null) return false;
  const head = await sealOlder(trx, key, from, from.unsealedUntil);
  if (head.unsealedUntil === null) await append(trx, key, head, [olderSealed(head.sequence, now())]);
  else await saveHead(trx, key, head);
  return head.unsealedUntil !== null;
}
