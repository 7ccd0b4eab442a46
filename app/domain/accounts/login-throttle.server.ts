import { recordAudit } from "~/domain/audit/audit.service.server";
import { countTry, forgetTries, fromNetwork, type Limit, LIMITS, limitTime } from "~/domain/limits/tries.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { type LoginOrigin } from "./login-origin";
import { findDevice } from "./login-places.server";

/** Notes once, for as long as the limit holds, that logins to these accounts are refused before their password is compared. */
const noteThrottled = (limit: Limit, users: readonly UserRow[], network: string) =>
  inTransaction(async (trx) => {
    const now = new Date();
    const { points, of } = LIMITS[limit];
    const from = network ? `, from the network ${network}` : "";
    for (const { id, email } of users)
      await recordAudit(
        trx,
        {
          actor: { id: null, name: email },
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
 * Counts a login before any password is compared: by account and network, and by network. A browser in which one of the accounts was logged
 * in before is counted by itself, so that nobody in its network can stop it. Throws a PortalError (429) when there were too many.
 */
export async function countLogin(name: string, users: readonly UserRow[], origin: LoginOrigin): Promise<void> {
  const { network } = origin;
  const note = (limit: Limit) => () => noteThrottled(limit, users, network);
  const device = deviceOf(users, origin);
  if (device) return countTry("login-device", device, note("login-device"));
  await countTry("login-address", network, note("login-address"));
  await countTry("login-account", fromNetwork(name, network), note("login-account"));
}

/** Gives a browser its tries back once the right password was entered there. */
export async function forgetLogin(users: readonly UserRow[], origin: LoginOrigin): Promise<void> {
  const device = deviceOf(users, origin);
  if (device) await forgetTries(getDb(), "login-device", device);
}

/** Counts a request for reset codes in the same way. `users` are the accounts with this e-mail address. */
export async function countCodeRequest(email: string, users: readonly UserRow[], origin: LoginOrigin): Promise<void> {
  const device = deviceOf(users, origin);
  if (device) return countTry("recovery-device", device);
  await countTry("recovery-address", origin.network);
  await countTry("recovery-account", email);
}

/** Forgets what was counted about an account, wherever it was tried. */
export async function forgetAccountTries(
  db: DbOrTrx,
  { id, username, email }: Pick<UserRow, "id" | "username" | "email">,
): Promise<void> {
  for (const name of new Set([username, email])) await forgetTries(db, "login-account", name);
  await forgetTries(db, "recovery-account", email);
  await forgetTries(db, "reset-code-account", email);
  await forgetTries(db, "security-answer", id);
}
