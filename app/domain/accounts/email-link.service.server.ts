import { recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { type Client } from "~/domain/security-events/client";
import { noteDeadLink } from "~/domain/security-events/dead-link.server";
import { networkOf } from "~/lib/networks.server";
import { getDb, type Trx } from "~db/connection.server";
import { consumeToken, findToken } from "~db/repositories/tokens.server";
import { findUserAmongOthers, lockUser, updateUser, type UserRow } from "~db/repositories/users.server";
import { type TokenPurpose } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { completeEmailChange } from "./email-change.service.server";
import { isStaff } from "./rights.policy";
import { staffRightsOf } from "./staff-rights.server";

/** What a link in an email can confirm: the current address of the account, or the one that replaces it. */
const PURPOSES: readonly TokenPurpose[] = ["verify-email", "change-email"];

const WHAT = "to confirm an email address";

/** Counts opened links, by network. */
const LIMIT = "authorise-address";

/**
 * Returns the address that a link confirms, or null when the link is unknown, used, withdrawn or expired. `mergesInto` is the user name of
 * the account into which other accounts with this address can be merged afterwards. Changes nothing.
 * Throws a PortalError (429) after too many links from one network.
 */
export async function findEmailLink(
  token: string,
  client: Client,
  now = new Date(),
): Promise<{ email: string; isChange: boolean; mergesInto: string | null } | null> {
  await consumeTry(LIMIT, networkOf(client.address));
  const row = await findToken(getDb(), PURPOSES, token, now);
  if (!row) {
    noteDeadLink(client, WHAT);
    return null;
  }
  const isChange = row.purpose === "change-email";
  const user = !isChange && row.userId ? await findUserAmongOthers(getDb(), row.userId) : null;
  return { email: row.email, isChange, mergesInto: user?.hasOtherAccounts ? user.username : null };
}

async function markVerified(trx: Trx, user: UserRow, client: Client, now: Date): Promise<void> {
  await updateUser(trx, user.id, { emailVerifiedAt: now }, now);
  const actor = { id: user.id, name: user.email, client };
  const entry = { event: "account.email-verified", message: "Verified the email address.", userId: user.id };
  await recordAudit(trx, { actor, ...entry }, now);
}

interface ConfirmedEmail {
  email: string;
  /** Whether it takes the place of another address of the account. */
  isChange: boolean;
}

/**
 * Uses up a link and confirms its address, which is returned. Returns null when the link is unknown, used, withdrawn or expired, or when
 * the address of the account has changed since. A change that a user administrator asked for is not made for an account that has become
 * one of staff. Throws a PortalError, and changes nothing, when another account has taken the new address
 * meanwhile, and a PortalError (429) after too many links from one network.
 *
 * A new address ends the sessions of the account, except for `sessionId`, the session of the browser that confirms it.
 */
export async function confirmEmail(
  token: string,
  by: { client: Client; sessionId: string | null },
  now = new Date(),
): Promise<ConfirmedEmail | null> {
  await consumeTry(LIMIT, networkOf(by.client.address));
  const confirmed = await storeConfirmation(token, by, now);
  if (confirmed === null) noteDeadLink(by.client, WHAT);
  return confirmed;
}

const storeConfirmation = (
  token: string,
  { client, sessionId }: { client: Client; sessionId: string | null },
  now: Date,
): Promise<ConfirmedEmail | null> =>
  inTransaction(async (trx) => {
    const row = await findToken(trx, PURPOSES, token, now);
    const user = row?.userId ? await lockUser(trx, row.userId, now) : null;
    if (!row || !user) return null;
    const isChange = row.purpose === "change-email";
    if (!isChange && user.email !== row.email) return null;
    if (isChange && row.adminId !== null && isStaff({ rights: await staffRightsOf(trx, user) })) return null;
    if (!(await consumeToken(trx, row.id, now))) return null;
    await (isChange
      ? completeEmailChange(trx, user, { email: row.email, sessionId, client }, now)
      : markVerified(trx, user, client, now));
    return { email: row.email, isChange };
  });
