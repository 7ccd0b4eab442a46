import { PortalError } from "~/lib/errors";
import { getDb, type Trx } from "~db/connection.server";
import { type AuditRow, eraseEntry, ERASURE_EVENT } from "~db/repositories/audit-chain.server";
import { lastEntryId, listEntriesById, listLeftBehind, listMentions } from "~db/repositories/audit-erasures.server";
import { type Actor, recordAudit } from "./audit.service.server";
import { newestKey } from "./chain-keys.server";
import { erasedListOf } from "./erasures-found.server";
import { erasedSealOf } from "./seals.server";
import { entryFault } from "./walk.server";

/** Whose data is erased from the trail. */
export interface ErasedFromTrail {
  /** The account that keeps the pseudonym. */
  id: number;
  /** This account and those that were merged into it. */
  ids: readonly number[];
  pseudonym: string;
  /** Addresses and user names, which nobody else has. They are replaced wherever they occur. */
  identifiers: readonly string[];
  /** Names and numbers that others can share. They are replaced in the entries by or about the accounts. */
  names: readonly string[];
  /** How entries name the companies of this person alone. Such a company can have the person's name. */
  references: readonly string[];
  /** First and last names alone, which can be ordinary words. They are replaced where staff typed a reason. */
  singleNames: readonly string[];
}

/** The events whose messages quote what a person typed about themselves. Nobody knows all former values, so the text is replaced. */
const QUOTING: readonly string[] = [
  "account.details-updated",
  "account.email-changed",
  "account.email-change-requested",
  "account.email-change-withdrawn",
  "account.factor-added",
  "account.factor-removed",
  "account.factor-renamed",
  "account.new-login",
  "account.merged",
  "account.closed-by-merge",
  "account.session-ended",
];

/** The events about an account whose messages contain a reason as staff typed it. */
const WITH_REASON: readonly string[] = [
  "account.disabled",
  "account.locked",
  "account.factors-reset",
  "account.second-requested",
  "account.password-allowed",
];

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Returns a function that replaces these texts regardless of case, longest first, where they are not part of a longer word. */
export function replacer(texts: readonly string[], by: string): (text: string) => string {
  const wanted = [...new Set(texts.map((text) => text.trim()).filter((text) => text.length > 1))];
  if (wanted.length === 0) return (text) => text;
  const any = wanted
    .sort((a, b) => b.length - a.length)
    .map(escapeRegExp)
    .join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu");
  return (text) => text.replace(pattern, by);
}

type Named = Pick<ErasedFromTrail, "pseudonym" | "identifiers" | "names" | "singleNames">;

/** Returns a function that replaces the person in a reason as staff typed it. */
export const inReasonOf = ({ pseudonym, identifiers, names, singleNames }: Named) =>
  replacer([...identifiers, ...names, ...singleNames], pseudonym);

/** Returns a function that returns what the erasure of a person leaves of an entry, or null when the entry has none of their data. */
function eraser(person: ErasedFromTrail) {
  const { ids, pseudonym, identifiers, names, references } = person;
  const everywhere = replacer(identifiers, pseudonym);
  const inOwn = replacer([...identifiers, ...names], pseudonym);
  const inReason = inReasonOf(person);
  const known = new Set(identifiers.map((text) => text.toLowerCase()));
  const isOne = (id: number | null) => id !== null && ids.includes(id);
  return (row: AuditRow): Pick<AuditRow, "actorName" | "message" | "address" | "reference"> | null => {
    const isActor = isOne(row.actorId) || known.has(row.actorName.toLowerCase());
    const isAtAddress = row.impersonatorId === null ? isActor : isOne(row.impersonatorId);
    const isAbout = isOne(row.userId) || (row.reference !== null && references.includes(row.reference));
    const isQuoted = isAbout && QUOTING.includes(row.event);
    const inAbout = WITH_REASON.includes(row.event) ? inReason : inOwn;
    const isNamed = row.commitment === null && row.reference !== null && known.has(row.reference.toLowerCase());
    const left = {
      actorName: isActor ? pseudonym : row.actorName,
      message: isQuoted
        ? `[The text was erased with the data of ${pseudonym}.]`
        : (isAbout ? inAbout : isActor ? inOwn : everywhere)(row.message),
      address: isAtAddress ? null : row.address,
      reference: isNamed ? null : row.reference,
    };
    const isSame = (["actorName", "message", "address", "reference"] as const).every(
      (name) => left[name] === row[name],
    );
    return isSame ? null : left;
  };
}

const ROWS_AT_ONCE = 500;

export interface Mentions {
  /** The ids of the entries by, about or with an identifier of the person. */
  entries: readonly number[];
  /** The last entry that was read. */
  upTo: number;
}

/** Reads the whole trail for entries with data of a person. Meant for before the transaction, because it takes a while in a long trail. */
export async function findMentions(person: ErasedFromTrail): Promise<Mentions> {
  const upTo = await lastEntryId(getDb());
  return { upTo, entries: await listMentions(getDb(), person, { from: 0, upTo }) };
}

/** Erases the data of a person from one entry. Throws a PortalError when the entry is not what was sealed. */
async function eraseFrom(trx: Trx, row: AuditRow, leave: ReturnType<typeof eraser>, userId: number): Promise<void> {
  const left = leave(row);
  if (!left) return;
  const fault = entryFault(row);
  if (fault) {
    const message = `The entry ${row.sequence ?? ""} of the audit trail cannot be verified, so nothing was erased: ${fault}`;
    throw new PortalError(message, { code: "audit.unsound" });
  }
  const after = { ...row, ...left };
  await eraseEntry(trx, { ...left, id: row.id, erasedSeal: erasedSealOf(newestKey(), after) }, userId);
}

async function eraseFromAll(trx: Trx, entries: readonly number[], person: ErasedFromTrail): Promise<void> {
  const leave = eraser(person);
  for (let from = 0; from < entries.length; from += ROWS_AT_ONCE)
    for (const row of await listEntriesById(trx, entries.slice(from, from + ROWS_AT_ONCE)))
      await eraseFrom(trx, row, leave, person.id);
}

/**
 * Erases the data of a person from the trail, in the transaction of the erasure, and records the entry that seals the list of what was
 * erased. Returns the number of erased entries.
 *
 * @param found The mentions that were read before the transaction. Later ones are read now.
 */
export async function eraseFromTrail(
  trx: Trx,
  person: ErasedFromTrail,
  found: Mentions,
  { actor, message }: { actor: Actor; message: (erased: number) => string },
  now: Date,
): Promise<number> {
  const since = await listMentions(trx, person, { from: found.upTo, upTo: null });
  const before = await erasedListOf(trx, person.id);
  await eraseFromAll(trx, [...found.entries, ...since], person);
  const { count, digest } = await erasedListOf(trx, person.id);
  const isChanged = count !== before.count || before.count === 0;
  const entry = { actor, event: ERASURE_EVENT, message: message(count), userId: person.id, reference: digest };
  if (isChanged) await recordAudit(trx, entry, now);
  return count - before.count;
}

/**
 * Returns the entries by an erased person that do not have the pseudonym, because they were being written during the erasure. Former names
 * are not known any more, so only the actor and the address of these entries are found.
 */
export const findLeftBehind = async ({
  ids,
  pseudonym,
}: Pick<ErasedFromTrail, "ids" | "pseudonym">): Promise<Mentions> => ({
  upTo: await lastEntryId(getDb()),
  entries: await listLeftBehind(getDb(), { ids, pseudonym }),
});
