import { isSessionOpen } from "~/domain/accounts/sessions/sessions.server";
import { mayActAs } from "~/domain/accounts/staff-rights.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { type Trx } from "~db/connection.server";
import { consumeToken, findToken } from "~db/repositories/tokens.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { type Row } from "~db/tables";
import { inTransaction } from "~db/transaction.server";

/** The data about a login for the partner service. The names are those of FRM-02. */
export interface PartnerLogin {
  userId: number;
  username: string;
  /** The names of the rights, separated by commas. */
  rights: string;
  /** The administrator who acts as the user, or null. The partner must not confuse the two in its own records. */
  actingUserId: number | null;
  actingUsername: string | null;
}

/** Returns the account, or null when it was disabled or its password changed since the token was issued. Sessions end then, too. */
async function findUnchanged(trx: Trx, id: number, { createdAt }: Row<"tokens">): Promise<UserRow | null> {
  const user = await findUserById(trx, id);
  return user && !user.isDisabled && user.passwordChangedAt <= createdAt ? user : null;
}

/**
 * Returns the user of a token and the administrator who acts as the user, if any. Returns null when one of the two is no longer valid,
 * under the same rules as for sessions.
 */
async function findParties(trx: Trx, token: Row<"tokens">) {
  const user = token.userId === null ? null : await findUnchanged(trx, token.userId, token);
  if (token.adminId === null) return user && { user, admin: null };
  const admin = await findUnchanged(trx, token.adminId, token);
  return user && admin && (await mayActAs(trx, user, admin)) ? { user, admin } : null;
}

/**
 * Uses up a token of a remote login and records it in the audit trail. Returns null when the token is unknown, used or expired, when the
 * session in which it was issued has ended, when the sessions of one of its accounts have ended since, or when the administrator who
 * requested it may no longer act as the user.
 */
export const redeemPartnerToken = (plain: string, now = new Date()): Promise<PartnerLogin | null> =>
  inTransaction(async (trx) => {
    const token = await findToken(trx, "partner-login", plain, now);
    if (!token || !(await consumeToken(trx, token.id, now))) return null;
    if (!(await isSessionOpen(trx, token.sessionId, now))) return null;
    const parties = await findParties(trx, token);
    if (!parties) return null;
    const { user, admin } = parties;
    const actor = { id: user.id, name: user.email, impersonatorId: token.adminId };
    const message = "Logged in at the partner service.";
    await recordAudit(trx, { actor, event: "partner.signed-in", message, userId: user.id }, now);
    const rights = [user.isApplicant && "Applicant", user.isAdmin && "Admin"].filter(Boolean).join(",");
    const acting = { actingUserId: admin?.id ?? null, actingUsername: admin?.username ?? null };
    return { userId: user.id, username: user.username, rights, ...acting };
  });
