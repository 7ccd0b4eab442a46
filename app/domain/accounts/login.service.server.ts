import { recordAudit } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { isEmail } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { getDb } from "~db/connection.server";
import { findUserById, listUsersByLogin, updateUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { countFailure, isLocked } from "./account-lock.server";
import { verifyPassword } from "./passwords.server";

/** The login outcomes' texts, word for word (A §8). */
export const LOGIN_MESSAGES = {
  InvalidUsername:
    "The username you have entered is Invalid. Please re-enter your credentials or register as a new customer.",
  InvalidPassword:
    "The password you have entered is Invalid. Please re-enter your credentials or use the Forgot Password option.",
  AccountDisabled: "This user account has been disabled. Please contact support to get this account re-enabled.",
  AccountLocked: "This user account is locked. Please contact support.",
} as const;

export type LoginFailure = keyof typeof LOGIN_MESSAGES;

const refusal = (outcome: LoginFailure) => new PortalError(LOGIN_MESSAGES[outcome], { code: outcome, status: 422 });

/** No account has this name: what is no e-mail address either was most likely mistyped as one. */
const unknown = (name: string) =>
  isEmail(name)
    ? refusal("InvalidUsername")
    : new PortalError(messages.email, { code: "InvalidUsername", field: "email" });

/**
 * The accounts that a user name or e-mail can mean. The user name of an account that was merged means the one that it was merged into;
 * its old password means nothing any more.
 */
async function listCandidates(name: string): Promise<UserRow[]> {
  const found = await listUsersByLogin(getDb(), name);
  const merged = found.filter(({ username, mergedInto }) => mergedInto !== null && username === name);
  const survivors = await Promise.all(merged.map(({ mergedInto }) => findUserById(getDb(), mergedInto ?? 0)));
  const all = [...found, ...survivors].filter((user) => user?.mergedInto === null) as UserRow[];
  return [...new Map(all.map((user) => [user.id, user])).values()];
}

/** Open accounts before disabled ones, then the one whose user name it is, then the one used last: several can have one password. */
function inOrder(candidates: readonly UserRow[], name: string): UserRow[] {
  const places = (user: UserRow) => [user.isDisabled, user.username === name ? 0 : 1] as const;
  return [...candidates].sort((one, other) => {
    const [a, b] = [places(one), places(other)];
    const byUse = (other.lastLoginAt ?? "").localeCompare(one.lastLoginAt ?? "");
    return a[0] - b[0] || a[1] - b[1] || byUse || one.id - other.id;
  });
}

/**
 * The accounts whose password is compared. Throws AccountLocked when all that could be entered are locked. A locked account among others
 * is passed over: an answer that differs would tell somebody who guesses that the password is the right one.
 */
function demandUnlocked(candidates: readonly UserRow[], now: Date): UserRow[] {
  const enabled = candidates.filter(({ isDisabled }) => isDisabled === 0);
  const decisive = enabled.length > 0 ? enabled : candidates;
  if (decisive.every((user) => isLocked(user, now))) throw refusal("AccountLocked");
  return candidates.filter((user) => !isLocked(user, now));
}

/** Several imported accounts can share an e-mail: the password picks among them. */
async function findByPassword(candidates: readonly UserRow[], password: string): Promise<UserRow | null> {
  for (const user of candidates) if (await verifyPassword(user.passwordHash, password)) return user;
  return null;
}

/**
 * Checks user name or e-mail and password, and records the login. Out: id and session epoch.
 * Throws a PortalError whose code is the outcome (InvalidUsername, InvalidPassword, AccountDisabled, AccountLocked).
 * A wrong password is a wrong try at every account that it could have opened.
 */
export async function login(
  name: string,
  password: string,
  now = new Date(),
): Promise<{ id: number; sessionEpoch: number }> {
  const typed = name.trim().toLowerCase();
  const candidates = await listCandidates(typed);
  if (candidates.length === 0) {
    await verifyPassword(null, password);
    throw unknown(typed);
  }
  const open = inOrder(demandUnlocked(candidates, now), typed);
  const user = await findByPassword(open, password);
  if (!user) {
    for (const { id } of open) await countFailure(id, now);
    throw refusal("InvalidPassword");
  }
  if (user.isDisabled === 1) throw refusal("AccountDisabled");

  await inTransaction(async (trx) => {
    await updateUser(trx, user.id, { failedLogins: 0, lockCount: 0, lockedUntil: null, lastLoginAt: now }, now);
    const actor = { id: user.id, name: user.email };
    await recordAudit(trx, { actor, event: "account.logged-in", message: "Logged in.", userId: user.id }, now);
  });
  return { id: user.id, sessionEpoch: user.sessionEpoch };
}
