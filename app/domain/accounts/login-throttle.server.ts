import { recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry, resetTries, fromNetwork, type Limit, LIMITS, limitTime } from "~/domain/limits/tries.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { type LoginOrigin } from "./login-origin";
import { findDevice } from "./login-places.server";

/** Records in the audit trail, once per period of the limit, that logins to these accounts are refused before the password is compared. */
const noteThrottled = (limit: Limit, users: readonly UserRow[], { network, client }: LoginOrigin) =>
  inTransaction(async (trx) => {
    const now = new Date();
    const { points, of } = LIMITS[limit];
    const from = network ? `, from the network ${network}` : "";
    for (const { id, email } of users)
      await recordAudit(
        trx,
        {
          actor: { id: null, name: email, client },
          event: "account.throttled",
          message: `Refused further attempts: at most ${points} ${of} within ${limitTime(limit)}${from}.`,
          userId: id,
        },
        now,
      );
  });

const deviceOf = (users: readonly UserRow[], origin: LoginOrigin) =>
  users.map((user) => findDevice(user, origin, new Date())).find((device) => device !== null);

/**
 * Counts a login before any password is compared, once for the account and network and once for the network. A browser in which one of the
 * accounts was logged in before is counted separately, so that others in its network cannot block it. Throws a PortalError (429) when there
 * were too many.
 */
export async function consumeLoginTry(name: string, users: readonly UserRow[], origin: LoginOrigin): Promise<void> {
  const { network } = origin;
  const note = (limit: Limit) => () => noteThrottled(limit, users, origin);
  const device = deviceOf(users, origin);
  if (device) return consumeTry("login-device", device, note("login-device"));
  await consumeTry("login-address", network, note("login-address"));
  await consumeTry("login-account", fromNetwork(name, network), note("login-account"));
}

/** Resets the count of a browser after the right password was entered there. */
export async function resetLoginTries(users: readonly UserRow[], origin: LoginOrigin): Promise<void> {
  const device = deviceOf(users, origin);
  if (device) await resetTries(getDb(), "login-device", device);
}

/**
 * Counts a request for reset codes in the same way.
 *
 * @param users The accounts with this email address.
 */
export async function consumeCodeRequestTry(
  email: string,
  users: readonly UserRow[],
  origin: LoginOrigin,
): Promise<void> {
  const device = deviceOf(users, origin);
  if (device) return consumeTry("recovery-device", device);
  await consumeTry("recovery-address", origin.network);
  await consumeTry("recovery-account", email);
}

/** Resets all counts of an account, whatever network they belong to. */
export async function resetAccountTries(
  db: DbOrTrx,
  { id, username, email }: Pick<UserRow, "id" | "username" | "email">,
): Promise<void> {
  for (const name of new Set([username, email])) await resetTries(db, "login-account", name);
  await resetTries(db, "recovery-account", email);
  await resetTries(db, "reset-code-account", email);
  await resetTries(db, "security-answer", id);
}
