import { createHash } from "node:crypto";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { quoted } from "~/domain/changed-meanwhile";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { withOpened } from "~/domain/merge-form.server";
import { notFound, PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { listRightsOf } from "~db/repositories/user-rights.server";
import { findUserById, lockUser, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { WORDS } from "../account-details.server";
import { changeEmail } from "../email-change.service.server";
import { rightsOf } from "../rights.policy";
import { consumeEmailLinkTry } from "../verification.service.server";
import { dualControlOf } from "./dual-control-view.server";
import { separated } from "./dual-control.policy";
import { whyNotChangeEmail, whyNotChangePerson } from "./person-change.policy";
import { type PersonForm } from "./user-administration.schema";
import { lockAdministratorsFor } from "./user-administrators.server";

type Administrator = Actor & { id: number };

const PERSON_FIELDS = ["firstName", "lastName", "position", "telephoneNumber", "email"] as const;
type Person = Pick<UserRow, (typeof PERSON_FIELDS)[number]>;

const personOf = (user: UserRow): Person => {
  const { firstName, lastName, position, telephoneNumber, email } = user;
  return { firstName, lastName, position, telephoneNumber, email };
};

/** Returns the version of these details, a hash, by which a form that shows older details is recognised. */
const versionOfPerson = (person: Person): string =>
  createHash("sha256")
    .update(JSON.stringify(PERSON_FIELDS.map((name) => person[name])))
    .digest("base64url");

const refusal = (message: string, field?: string) =>
  new PortalError(message, { code: "account.change-person", ...(field && { field }) });

/** Throws a PortalError that says why the administrator cannot change the details of the person. */
async function requireChangeable(db: DbOrTrx, user: UserRow, { id: by }: Administrator, now: Date): Promise<void> {
  const { isOwn } = await dualControlOf(db, user, by, now);
  const barrier = whyNotChangePerson(user, { by, isOwn, now });
  if (barrier) throw barrier.isSeparated ? separated(barrier.reason) : refusal(barrier.reason);
}

/** Returns why the email address of the account cannot be changed for the person, or null. */
async function emailBarrier(db: DbOrTrx, user: UserRow): Promise<string | null> {
  const granted = (await listRightsOf(db, user.id)).map(({ right }) => right);
  return whyNotChangeEmail({ rights: rightsOf(user, granted) });
}

async function getUser(id: number): Promise<UserRow> {
  const user = await findUserById(getDb(), id);
  if (!user) throw notFound();
  return user;
}

/**
 * Returns the details of the person of an account as the form shows them, with their version, and why their email address stays as it is.
 * Throws a PortalError (404) when there is no such account, and one that says why this administrator cannot change the details.
 */
export async function loadPerson(id: number, actor: Administrator, now = new Date()) {
  const user = await getUser(id);
  await requireChangeable(getDb(), user, actor, now);
  const person = personOf(user);
  return {
    id,
    name: `${user.firstName} ${user.lastName}`,
    values: withOpened({ ...person, version: versionOfPerson(person) }),
    isEmailConfirmed: user.emailVerifiedAt !== null,
    emailBarrier: await emailBarrier(getDb(), user),
  };
}

/** Returns the details that a form sends, with the stored address when only its case differs. */
const typedIn = (form: PersonForm, { email }: Person): Person => {
  const { version: _, ...typed } = form;
  return { ...typed, email: typed.email.toLowerCase() === email ? email : typed.email.toLowerCase() };
};

/** Describes the changes in words: 'first name from … to …'. */
const changesOf = (stored: Person, typed: Person, names: readonly (keyof Person)[] = PERSON_FIELDS): string[] =>
  names
    .filter((name) => stored[name] !== typed[name])
    .map((name) => `${WORDS[name]} from ${quoted(stored[name])} to ${quoted(typed[name])}`);

/** Returns what a form changes, in words, for the question before it is saved. Throws the same errors as `savePerson`. */
export async function previewPerson(id: number, form: PersonForm): Promise<string[]> {
  const user = await getUser(id);
  const stored = personOf(user);
  const typed = typedIn(form, stored);
  if (typed.email !== stored.email) await requireEmailChange(getDb(), user);
  return changesOf(stored, typed);
}

/** Throws a PortalError for the field `email` when the address of the account cannot be changed for the person. */
async function requireEmailChange(db: DbOrTrx, user: UserRow): Promise<void> {
  const barrier = await emailBarrier(db, user);
  if (barrier) throw refusal(barrier, "email");
}

const CHANGED = "The account was changed meanwhile. Please look again.";

async function store(trx: Trx, user: UserRow, typed: Person, actor: Administrator, now: Date): Promise<void> {
  const stored = personOf(user);
  const { email, ...details } = typed;
  const changed = changesOf(
    stored,
    typed,
    PERSON_FIELDS.filter((name) => name !== "email"),
  );
  if (changed.length > 0) {
    await updateUser(trx, user.id, details, now);
    await refreshOwnersCodes(trx, user.id);
    const message = `Changed the user details: ${changed.join(", ")}.`;
    await recordAudit(trx, { actor, event: "account.details-updated", message, userId: user.id }, now);
  }
  if (email === stored.email) return;
  const { firstName } = details;
  await changeEmail(trx, { ...user, firstName }, { email, actor, sessionId: null, adminId: actor.id }, now);
}

/**
 * Changes the details of the person of an account, for a user administrator, in one transaction with the audit entries. A new email address
 * counts once the link that is sent to it is used, and the old one is told; an address that was never confirmed is replaced at once. Throws a
 * PortalError (403) when the actor is no longer a user administrator, (409) when the details have changed since the form was made, (429)
 * after too many links, and one that says why something cannot be changed, for its field.
 */
export async function savePerson(id: number, form: PersonForm, actor: Administrator, now = new Date()): Promise<void> {
  const before = await getUser(id);
  if (typedIn(form, personOf(before)).email !== before.email) await consumeEmailLinkTry(id);
  await inTransaction(async (trx) => {
    await lockAdministratorsFor(trx, actor);
    const user = await lockUser(trx, id, now);
    if (!user) throw notFound();
    await requireChangeable(trx, user, actor, now);
    const stored = personOf(user);
    if (form.version !== versionOfPerson(stored))
      throw new PortalError(CHANGED, { code: "account.change-person", status: 409 });
    const typed = typedIn(form, stored);
    if (typed.email !== stored.email) await requireEmailChange(trx, user);
    await store(trx, user, typed, actor, now);
  });
}
