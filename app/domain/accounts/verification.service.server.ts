import { recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { type ComposedMail } from "~/domain/mail/compose.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { type EmailLink, verifyEmailMail, verifyForMergeMail } from "~/domain/mail/templates/accounts.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { serverPaths } from "~/lib/server-paths.server";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { findTokenOf, hashOf, issueToken } from "~db/repositories/tokens.server";
import { findUserById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { type SessionUser } from "./session-user";

/** How many days a link that confirms an email address is valid. */
export const LINK_DAYS = 7;

/** The audit entry for a link that was requested. */
export const VERIFICATION_SENT = {
  event: "account.verification-sent",
  message: "Sent the link that confirms the email address.",
} as const;

interface LinkOptions {
  /** Whether the link confirms the current address of the account or a new one. */
  purpose?: "verify-email" | "change-email";
  toMail?: (link: EmailLink) => ComposedMail;
  /** The user administrator who changes the address for the person. */
  adminId?: number | undefined;
  /** The page of the portal to open after the link was followed. */
  redirectTo?: string | undefined;
  now?: Date;
}

/** Queues the email with the link that confirms an address, in the caller's transaction. The default is the email for a new account. */
export async function queueEmailLink(
  trx: Trx,
  user: { id: number; email: string },
  { purpose = "verify-email", toMail = verifyEmailMail, adminId, redirectTo, now = new Date() }: LinkOptions = {},
): Promise<void> {
  const { id: userId, email } = user;
  const about = { purpose, email, userId, ...(adminId !== undefined && { adminId }) };
  const token = await issueToken(trx, { ...about, lifetimeMs: LINK_DAYS * DAY }, now);
  const url = getEnv().publicUrl + serverPaths.verifyEmail(token, redirectTo);
  const mail = toMail({ url, validFor: `${LINK_DAYS} days` });
  await queueMail(trx, { dedupeKey: `${purpose}:${hashOf(token)}`, to: email, mail }, now);
}

/** Counts an email with a link that a user requests. Throws a PortalError (429) when the account had too many in an hour or a day. */
export async function consumeEmailLinkTry(userId: number): Promise<void> {
  await consumeTry("verification-account", userId);
  await consumeTry("verification-day", userId);
}

/** Returns whether a link that confirms the account's address was sent and can still be used. */
export const isLinkOpen = async (userId: number, db: DbOrTrx = getDb(), now = new Date()): Promise<boolean> =>
  (await findTokenOf(db, userId, "verify-email", now)) !== null;

/**
 * Sends the user the link that confirms the email address, for the first time or again. When the link allows accounts to be merged, the
 * email says so. Returns whether an earlier link can still be used. Returns null, and sends nothing, when the address is confirmed already.
 * Throws a PortalError (429) when the account had too many links.
 *
 * @param redirectTo The page to open after the link was followed.
 */
export async function sendVerification(
  { id: userId, username, hasSeveralAccounts, actor }: SessionUser,
  redirectTo?: string,
  now = new Date(),
): Promise<{ isAgain: boolean } | null> {
  await consumeEmailLinkTry(userId);
  const toMail: typeof verifyEmailMail = (data) =>
    hasSeveralAccounts ? verifyForMergeMail({ ...data, username }) : verifyEmailMail(data);
  return inTransaction(async (trx) => {
    const user = await findUserById(trx, userId);
    if (!user || user.emailVerifiedAt !== null) return null;
    const isAgain = await isLinkOpen(userId, trx, now);
    await queueEmailLink(trx, user, { toMail, redirectTo, now });
    await recordAudit(trx, { actor, ...VERIFICATION_SENT, userId }, now);
    return { isAgain };
  });
}

/**
 * Returns what a user whose address is not confirmed is told, and the name of the button that sends a link. Imported accounts never got a
 * link, and a link can have expired.
 */
export const unverifiedTexts = (hasOpenLink: boolean) => ({
  title: "Please confirm your email address.",
  text: `${
    hasOpenLink ? "Follow the link in the message that was sent to you." : "Request a link and follow it."
  } Until then, orders cannot be approved, we do not write to people whom you name, and we send you only a few messages.`,
  button: hasOpenLink ? "Send the link again" : "Send the link",
});
