import { randomBytes } from "node:crypto";
import { type Trx } from "~db/connection.server";
import { type AuditHead, type AuditRow, insertEntries, lockHead, moveHead } from "~db/repositories/audit-chain.server";
import { type ChainKey, newestKey } from "./chain-keys.server";
import { commitmentTo, entryMac, headSeal } from "./seals.server";

/** An entry without its position in the chain: everything that says what happened. */
export type UnsealedEntry = Omit<
  AuditRow,
  "id" | "searchText" | "sequence" | "previous" | "mac" | "keyId" | "salt" | "commitment" | "erasedSeal"
>;
type Stands = Omit<AuditHead, "id" | "seal">;

const SALT_LENGTH = 32;

/** Seals the entry that follows `head`. Returns its row and the new head. */
function seal(key: ChainKey, head: Stands, entry: UnsealedEntry, id: number) {
  const salt = randomBytes(SALT_LENGTH);
  const position = { id, sequence: head.sequence + 1, previous: head.mac, keyId: key.id };
  const row = { ...entry, ...position, commitment: commitmentTo(salt, entry) };
  const mac = entryMac(key, row);
  return { row: { ...row, salt, mac }, head: { ...head, sequence: row.sequence, entryId: id, mac, keyId: key.id } };
}

async function standing(trx: Trx): Promise<Stands> {
  const { sequence, entryId, mac, keyId } = await lockHead(trx);
  return { sequence, entryId, mac, keyId };
}

/** Adds entries to the chain. This is the last work of a transaction, because the head stays locked until the transaction ends. */
export async function appendEntries(trx: Trx, entries: readonly UnsealedEntry[]): Promise<void> {
  const key = newestKey();
  let head = await standing(trx);
  const rows = entries.map((entry) => {
    const sealed = seal(key, head, entry, head.entryId + 1);
    head = sealed.head;
    return sealed.row;
  });
  await insertEntries(trx, rows);
  await moveHead(trx, { ...head, seal: headSeal(key, head) });
}
