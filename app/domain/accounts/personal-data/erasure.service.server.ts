import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { eraseFromTrail, findLeftBehind } from "~/domain/audit/erase.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { erasureRequestedMail } from "~/domain/mail/templates/personal-data.server";
import { addDays } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { emptyWriteAheadLog, getDb, type Trx } from "~db/connection.server";
import { deleteErasedContact, listErasedContacts } from "~db/repositories/erased-contacts.server";
import { listErasedSince, listErasureRequests, setErasureRequest } from "~db/repositories/erasure.server";
import { eraseLastMails } from "~db/repositories/mails.server";
import { listAdministrators } from "~db/repositories/user-administration.server";
import { listUsersById, lockUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import {
  endErasuresOfWish,
  ERASURE_WITHDRAWN,
  isErasedForOtherReason,
} from "../administration/erasure-requests.server";
import { requireNoImpersonation } from "../administration/impersonation.policy";
import { stoppedByOwnErasure } from "../administration/stopped-clients.server";
import { type SessionUser } from "../session-user";
import { findErasureBarriers } from "./circumstances.server";
import { ERASED_MAIL, replaceContact } from "./erase.server";
import { isInForce, pseudonymOf } from "./erasure.policy";

/**
 * Returns when the user asked for the erasure of their data, or null, what must happen before it, whether the address is confirmed, and
 * whether user administrators have asked for the erasure for another reason.
 */
export async function getErasure(user: SessionUser, now = new Date()) {
  const [account] = await listUsersById(getDb(), [user.id]);
  if (!account) throw new Error(`There is no account ${user.id}.`);
  return {
    requestedAt: account.erasureRequestedAt,
    barriers: await findErasureBarriers(getDb(), account, now),
    isEmailConfirmed: account.emailVerifiedAt !== null,
    /** What ends or pauses with the erasure, in whole sentences. */
    stops: await stoppedByOwnErasure(getDb(), account, now),
    isAskedByStaff: await isErasedForOtherReason(getDb(), account, now),
  };
}

/** Returns the persons who asked for the erasure of their data, the longest wait first. */
export const listWaitingErasures = async () =>
  (await listErasureRequests(getDb())).map(({ id, firstName, lastName, erasureRequestedAt, emailVerifiedAt }) => ({
    id,
    isEmailConfirmed: emailVerifiedAt !== null,
    name: `${firstName} ${lastName}`,
    requestedAt: erasureRequestedAt,
  }));

export type WaitingErasure = Awaited<ReturnType<typeof listWaitingErasures>>[number];

const refusal = (message: string) => new PortalError(message, { code: "account.erase" });

/** Tells the user administrators that a person asks for the erasure. */
async function tellAdministrators(trx: Trx, user: UserRow, now: Date): Promise<void> {
  const ids = await listAdministrators(trx);
  const url = getEnv().publicUrl + paths.user(user.id);
  const isConfirmed = user.emailVerifiedAt !== null;
  for (const { id, firstName: name } of ids.length > 0 ? await listUsersById(trx, ids) : []) {
    const mail = erasureRequestedMail({ name, username: user.username, isConfirmed, url });
    await queueOwnMail(trx, id, { dedupeKey: `erasure-requested:${user.id}:${now.getTime()}:${id}`, mail }, now);
  }
}

/** Returns the account of the user, and locks it. */
async function requireStored(trx: Trx, { id }: SessionUser, now: Date): Promise<UserRow> {
  const account = await lockUser(trx, id, now);
  if (!account) throw new Error(`There is no account ${id}.`);
  return account;
}

/**
 * Stores that the user asks for the erasure of their data, and tells the user administrators. Throws a PortalError (403) when an
 * administrator acts as the user, and a PortalError that says what must happen first.
 */
export async function requestErasure(user: SessionUser, now = new Date()): Promise<void> {
  requireNoImpersonation(user, "this");
  await inTransaction(async (trx) => {
    const account = await requireStored(trx, user, now);
    const barriers = await findErasureBarriers(trx, account, now);
    if (barriers.length > 0) throw refusal(barriers.join(" "));
    if (!(await setErasureRequest(trx, user.id, now))) throw refusal("You have asked for this already.");
    const entry = { event: "account.erasure-requested", message: "Asked for the erasure of the personal data." };
    await recordAudit(trx, { actor: user.actor, ...entry, userId: user.id }, now);
    await tellAdministrators(trx, account, now);
  });
}

/**
 * Withdraws the user's request, and with it the requests of user administrators that were made because of it. Of a withdrawal and an
 * approval at once, one is refused. Throws a PortalError when there is no request, or when the data has been erased.
 */
export async function withdrawErasure(user: SessionUser, now = new Date()): Promise<void> {
  requireNoImpersonation(user, "this");
  await inTransaction(async (trx) => {
    const account = await requireStored(trx, user, now);
    if (account.erasedAt !== null) throw refusal("Your data has been erased.");
    if (!(await setErasureRequest(trx, user.id, null))) throw refusal("You have not asked for this.");
    const message = "Withdrew the request to erase the personal data.";
    await recordAudit(trx, { actor: user.actor, event: ERASURE_WITHDRAWN, message, userId: user.id }, now);
    await endErasuresOfWish(trx, account, user.actor, now);
  });
}

const BATCH = 200;
const actor = systemActor("erasures");

/** Replaces the noted contacts of certificates that have ended since. Returns how many there were. */
async function replaceEndedContacts(now: Date): Promise<number> {
  let replaced = 0;
  for (let after = 0, isLast = false; !isLast;) {
    const rows = await listErasedContacts(getDb(), after, BATCH);
    for (const { certificateId, contact, userId, ...certificate } of rows.filter((row) => !isInForce(row, now))) {
      const json = contact === "technical" ? certificate.technicalContact : certificate.authenticationContact;
      await inTransaction(async (trx) => {
        await replaceContact(trx, { id: certificateId, contact, json }, userId);
        await deleteErasedContact(trx, { certificateId, contact });
        const message = `Replaced the ${contact} contact by '${pseudonymOf(userId).name}', because the certificate has ended.`;
        await recordAudit(trx, { actor, event: "account.contact-erased", message, userId, certificateId }, now);
      });
      replaced += 1;
    }
    isLast = rows.length < BATCH;
    after = rows.at(-1)?.certificateId ?? 0;
  }
  return replaced;
}

/** How many days after an erasure the trail is searched for entries that were being written during it, and the last message is tried. */
const CHECKED_DAYS = 7;

const NOTHING_MORE = { identifiers: [], names: [], singleNames: [], references: [] };

/** Erases the data in entries of the audit trail that were being written while their person was erased. Returns how many there were. */
async function eraseLeftBehind(accounts: Awaited<ReturnType<typeof listErasedSince>>, now: Date): Promise<number> {
  let erased = 0;
  for (const { id, mergedInto } of accounts) {
    const person = { id: mergedInto ?? id, ids: [id], pseudonym: pseudonymOf(mergedInto ?? id).name };
    const found = await findLeftBehind(person);
    if (found.entries.length === 0) continue;
    const message = (entries: number) =>
      `Erased the personal data of account ${person.id} from entries that were written during the erasure. Entries from which it is erased: ${entries}.`;
    erased += await inTransaction((trx) =>
      eraseFromTrail(trx, { ...person, ...NOTHING_MORE }, found, { actor, message }, now),
    );
  }
  return erased;
}

/**
 * Completes erasures: replaces contacts of certificates that have ended, the recipient of a last message that could not be delivered, and
 * what was being written during the erasure. Safe to repeat. Returns the outcome in words.
 */
export async function completeErasures(now = new Date()): Promise<string> {
  const contacts = await replaceEndedContacts(now);
  const since = addDays(now, -CHECKED_DAYS);
  const mails = await eraseLastMails(getDb(), ERASED_MAIL, since, now);
  const accounts = await listErasedSince(getDb(), since);
  const entries = await eraseLeftBehind(accounts, now);
  if (contacts + mails + accounts.length > 0) emptyWriteAheadLog();
  return `${contacts} contacts, ${mails} messages and ${entries} audit entries`;
}
