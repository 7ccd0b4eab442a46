import { type Actor } from "~/domain/audit/audit.service.server";
import { type Client } from "~/domain/security-events/client";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { getDb } from "~db/connection.server";
import { listFactors } from "~db/repositories/second-factors.server";
import { consumeToken, findToken, issueToken } from "~db/repositories/tokens.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { PENDING_MINUTES } from "./factors.policy";

/** A login whose first factor was right and whose second factor is missing. */
export interface PendingLogin {
  /** The id of its token. */
  id: number;
  user: UserRow;
  /** Whether the first factor was a login at the identity provider, and not the password. */
  isSignOn: boolean;
}

/** What a user is told when a login no longer waits. */
export const PENDING_ENDED = "This login has ended. Please enter your password again.";

/** The actor of a login that is not finished. */
export const actorOf = ({ id, email }: { id: number; email: string }, client: Client): Actor => ({
  id,
  name: email,
  client,
});

/**
 * Starts to wait for the second factor of an account whose password, or login at the identity provider, was right. Returns the token that the browser keeps for ten minutes. An
 * earlier one of the same account goes on, because somebody who knows the password must not end the login of the owner.
 */
export async function startPendingLogin(
  user: UserRow,
  client: Client,
  now = new Date(),
  first: "password" | "sign-on" = "password",
): Promise<string> {
  const { id, email } = user;
  const was = first === "password" ? "The password was right." : "The identity provider named no second factor.";
  const about = {
    userId: id,
    actorName: email,
    client,
    detail: `${was} The second factor is asked for.`,
  };
  await recordSecurityEvent(getDb(), { event: "factor.asked", ...about });
  const purpose = first === "password" ? "second-factor" : "sign-on-factor";
  const token = { purpose, email, userId: id, lifetimeMs: PENDING_MINUTES * 60_000 } as const;
  return inTransaction((trx) => issueToken(trx, token, now));
}

/**
 * Returns the login that waits with this token, or null when it was finished or is too old, when the account has been disabled, or when its
 * password was changed since.
 */
export async function findPendingLogin(plain: string | undefined, now = new Date()): Promise<PendingLogin | null> {
  const token = plain === undefined ? null : await findToken(getDb(), ["second-factor", "sign-on-factor"], plain, now);
  const user = token && (await findUserById(getDb(), token.userId ?? 0));
  if (!user || user.isDisabled || user.adminLockedAt !== null || user.mergedInto !== null) return null;
  const isSignOn = token.purpose === "sign-on-factor";
  return user.passwordChangedAt > token.createdAt ? null : { id: token.id, user, isSignOn };
}

/** Ends a login that waits. Returns false when it was ended before, so that only one request finishes it. */
export const endPendingLogin = ({ id }: PendingLogin, now = new Date()): Promise<boolean> =>
  inTransaction((trx) => consumeToken(trx, id, now));

/** Returns with which kinds of factors a login can be finished. */
export const kindsOf = async (userId: number) => [
  ...new Set((await listFactors(getDb(), userId)).map(({ kind }) => kind)),
];
