import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { queueMail, queueOwnMail } from "~/domain/mail/queue.service.server";
import { verifyNewEmailMail } from "~/domain/mail/templates/accounts.server";
import {
  changeEmailMail,
  emailChangedMail,
  emailChangeRequestedMail,
} from "~/domain/mail/templates/email-change.server";
import { type Client } from "~/domain/security-events/client";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { contactUrl } from "~/lib/server-paths.server";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { readdressAwaiting } from "~db/repositories/held-mails.server";
import { refreshOrdersOwner } from "~db/repositories/orders.server";
import { endSessionsOf } from "~db/repositories/sessions.server";
import { endTokensOf, findTokenOf } from "~db/repositories/tokens.server";
import { findUserById, lockEmail, lockUser, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { requireNoImpersonation } from "./administration/impersonation.policy";
import { requireFreeEmailFor } from "./free-email.server";
import { awaitsFirstPassword, sendResetLink } from "./recovery/recovery.service.server";
import { type SessionUser } from "./session-user";
import { consumeEmailLinkTry, queueEmailLink } from "./verification.service.server";

/** A new email address that replaces the old one when the user follows the link sent to it, until `expiresAt`. */
export interface PendingEmail {
  email: string;
  expiresAt: string;
}

/** Returns the address that waits to be confirmed, or null. */
export async function findPendingEmail(
  userId: number,
  db: DbOrTrx = getDb(),
  now = new Date(),
): Promise<PendingEmail | null> {
  const token = await findTokenOf(db, userId, "change-email", now);
  return token && { email: token.email, expiresAt: token.expiresAt };
}

interface NewEmail {
  /** In lower case. */
  email: string;
  actor: Actor;
  /** The session that changes the address, which continues. Null when there is none. */
  sessionId: string | null;
  /** The user administrator who changes the address for the person. */
  adminId?: number;
}

/**
 * Replaces the email address of an account, in the caller's transaction. Ends the links and codes that were sent to the old address, and
 * sends that address a notice if it was confirmed. A user name that equals the old address changes with it. Throws a PortalError for the
 * field `email` when another account has the address.
 *
 * `verifiedAt` is when the new address was confirmed; null while it is not. The sessions of the account end, except for `sessionId`.
 */
async function switchEmail(
  trx: Trx,
  user: UserRow,
  { email, actor, sessionId, verifiedAt }: NewEmail & { verifiedAt: Date | null },
  now: Date,
): Promise<void> {
  await lockEmail(trx, email);
  const isFreeName = await requireFreeEmailFor(trx, user.id, email);
  const username = isFreeName && user.username === user.email ? email : user.username;
  await updateUser(trx, user.id, { email, username, emailVerifiedAt: verifiedAt }, now);
  await refreshOwnersCodes(trx, user.id);
  await refreshOrdersOwner(trx, { id: user.id, username });
  await endTokensOf(trx, user.id, ["verify-email", "change-email", "reset-password", "change-password"], now);
  const ended = await endSessionsOf(trx, [user.id], "email", { keep: sessionId, now });
  const consequence = ended > 0 ? ` Other sessions ended: ${ended}.` : "";
  const message = `Changed the email address from ${user.email} to ${email}.${consequence}`;
  await recordAudit(trx, { actor, event: "account.email-changed", message, userId: user.id }, now);
  // An address that was never confirmed may belong to a stranger. It gets no notice, and waiting messages go to the new address.
  if (user.emailVerifiedAt === null) return readdressAwaiting(trx, user.id, email);
  const mail = emailChangedMail({ name: user.firstName, email, at: now, url: contactUrl() });
  await queueMail(trx, { dedupeKey: `email-changed:${user.id}:${now.toISOString()}`, to: user.email, mail }, now);
}

/** Sends the link to the new address and ends older links. */
async function sendLink(
  trx: Trx,
  user: { id: number; firstName: string },
  { email, adminId }: Pick<NewEmail, "email" | "adminId">,
  now: Date,
): Promise<void> {
  await endTokensOf(trx, user.id, ["change-email"], now);
  await queueEmailLink(trx, { ...user, email }, { purpose: "change-email", toMail: changeEmailMail, adminId, now });
}

/**
 * Handles the request of a user, or of a user administrator for the user, for another email address, in the caller's transaction. The account keeps the old address for login, messages
 * and recovery until the user follows the link sent to the new one. The old address gets a notice, and an earlier request ends. An
 * unconfirmed address is replaced at once, and the new one is also unconfirmed. A person who has chosen no password yet gets the link to
 * choose one there. Throws a PortalError for the field `email` when another
 * account has the address.
 *
 * `user` is the stored account.
 */
export async function changeEmail(
  trx: Trx,
  user: UserRow,
  { email, actor, sessionId, adminId }: NewEmail,
  now = new Date(),
): Promise<void> {
  if (user.emailVerifiedAt === null) {
    await switchEmail(trx, user, { email, actor, sessionId, verifiedAt: null }, now);
    const changed = awaitsFirstPassword(user) ? await findUserById(trx, user.id) : null;
    if (changed) return sendResetLink(trx, changed, now);
    return queueEmailLink(trx, { ...user, email }, { toMail: verifyNewEmailMail, now });
  }
  await requireFreeEmailFor(trx, user.id, email);
  await sendLink(trx, user, { email, adminId }, now);
  const message = `Asked to change the email address from ${user.email} to ${email}.`;
  await recordAudit(trx, { actor, event: "account.email-change-requested", message, userId: user.id }, now);
  const url = getEnv().publicUrl + paths.forgotPassword;
  const mail = emailChangeRequestedMail({
    name: user.firstName,
    email,
    isByStaff: adminId !== undefined,
    at: now,
    url,
  });
  await queueOwnMail(trx, user.id, { dedupeKey: `email-change:${user.id}:${now.toISOString()}`, mail }, now);
}

/**
 * Replaces the address after the user has followed the link sent to the new one. The caller's transaction must have locked the account.
 * Throws the same errors as `changeEmail`.
 */
export const completeEmailChange = (
  trx: Trx,
  user: UserRow,
  { email, sessionId, client }: Pick<NewEmail, "email" | "sessionId"> & { client: Client },
  now: Date,
): Promise<void> => {
  const actor = { id: user.id, name: user.email, client };
  return switchEmail(trx, user, { email, sessionId, actor, verifiedAt: now }, now);
};

/** Locks the account and returns it with the address that waits to be confirmed, or null when none waits. */
async function lockPending(trx: Trx, user: SessionUser, now: Date) {
  requireNoImpersonation(user, "the email address");
  const stored = await lockUser(trx, user.id, now);
  const pending = await findPendingEmail(user.id, trx, now);
  return stored && pending && { stored, email: pending.email };
}

/**
 * Sends the link to the new address again and ends the one before. Returns the address, or null when none waits any more. Throws a
 * PortalError (429) when the account had too many links.
 */
export async function resendEmailChange(user: SessionUser, now = new Date()): Promise<string | null> {
  await consumeEmailLinkTry(user.id);
  return storeResent(user, now);
}

const storeResent = (user: SessionUser, now: Date): Promise<string | null> =>
  inTransaction(async (trx) => {
    const pending = await lockPending(trx, user, now);
    if (!pending) return null;
    const { stored, email } = pending;
    await sendLink(trx, stored, { email }, now);
    const message = `Sent the link that confirms the new email address ${email} again.`;
    const entry = { actor: user.actor, event: "account.email-change-sent", message, userId: user.id };
    await recordAudit(trx, entry, now);
    return email;
  });

/**
 * Ends the link to the new address, so that the account keeps its current one. Returns the new address, or null when none waits any more.
 */
export const withdrawEmailChange = (user: SessionUser, now = new Date()): Promise<string | null> =>
  inTransaction(async (trx) => {
    const pending = await lockPending(trx, user, now);
    if (!pending) return null;
    await endTokensOf(trx, user.id, ["change-email"], now);
    const message = `Withdrew the change of the email address to ${pending.email}.`;
    const entry = { actor: user.actor, event: "account.email-change-withdrawn", message, userId: user.id };
    await recordAudit(trx, entry, now);
    return pending.email;
  });
