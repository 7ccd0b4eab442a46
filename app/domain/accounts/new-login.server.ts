import { createHash } from "node:crypto";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { tryToConsume } from "~/domain/limits/tries.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { newLoginMail } from "~/domain/mail/templates/new-login.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { listKnownKeys } from "~db/repositories/mails.server";
import { type UserRow } from "~db/repositories/users.server";
import { type LoginOrigin } from "./login-origin";
import { findDevice, isKnownNetwork } from "./login-places.server";
import { deviceOf } from "./sessions/device";

/** A login from a browser or network that is new to the account. */
export interface NewLogin {
  origin: LoginOrigin;
  /** The key of the message to the owner. Null when the owner was told today already, or too often. */
  dedupeKey: `new-login:${string}` | null;
}

/**
 * Returns whether the account was never logged in in this browser or, for a program, from this network. The first login of an account is
 * never new, and neither is one on the command line.
 */
async function isNew(user: UserRow, origin: LoginOrigin, now: Date): Promise<boolean> {
  if (user.lastLoginAt === null || origin.network === "") return false;
  if (origin.devices === null) return !(await isKnownNetwork(user.id, origin.network, now));
  return findDevice(user, origin, now) === null;
}

/** Returns the key of the message about such a login. There is one message a day for a browser or program in one network. */
function keyOf({ id }: UserRow, { network, client }: LoginOrigin, now: Date) {
  const from = createHash("sha256").update(`${network} ${client.userAgent}`).digest("base64url");
  return `new-login:${id}:${now.toISOString().slice(0, 10)}:${from}` as const;
}

/**
 * Returns what to tell about a login before it is recorded, or null when browser and network are known. Must not be called inside a
 * transaction, because it counts the messages about logins to the account.
 */
export async function findNewLogin(user: UserRow, origin: LoginOrigin, now: Date): Promise<NewLogin | null> {
  if (!(await isNew(user, origin, now))) return null;
  const dedupeKey = keyOf(user, origin, now);
  const isTold = (await listKnownKeys(getDb(), [dedupeKey])).length > 0;
  const isTooMuch = isTold || (await tryToConsume("new-login-account", user.id)) !== null;
  return { origin, dedupeKey: isTooMuch ? null : dedupeKey };
}

/** Records a login from a new browser or network and tells the owner by mail, in the transaction of the login. */
export async function tellAboutNewLogin(trx: Trx, user: UserRow, login: NewLogin, now: Date): Promise<void> {
  const { dedupeKey, origin } = login;
  const { client, devices } = origin;
  const isProgram = devices === null;
  const device = deviceOf(client.userAgent);
  const place = isProgram ? "network" : "browser";
  const told = dedupeKey ? "The owner is told by mail." : "The owner was told of such a login today.";
  const message = `Logged in from a ${place} where the account was not logged in before: ${device}. ${told}`;
  const actor = { id: user.id, name: user.email, client };
  await recordAudit(trx, { actor, event: "account.new-login", message, userId: user.id }, now);
  if (!dedupeKey) return;
  const url = getEnv().publicUrl + paths.forgotPassword;
  const { firstName: name, username } = user;
  const mail = newLoginMail({ name, username, at: now, isProgram, device, address: client.address, url });
  await queueOwnMail(trx, user.id, { dedupeKey, mail }, now);
}
