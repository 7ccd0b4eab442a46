import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { factorMail } from "~/domain/mail/templates/factors.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { findUserById } from "~db/repositories/users.server";

interface Told {
  /** What makes the message different from others to this account. */
  key: string;
  /** What happened, as the subject of the message. */
  what: string;
  detail: string;
  /** What the owner should do. By default, what to do about a change that somebody else has made. */
  advice?: string;
}

/** Tells the owner of an account by mail what happened to its second factors, in the transaction of the change. */
export async function tellAboutFactors(
  trx: Trx,
  userId: number,
  { key, what, detail, advice }: Told,
  now: Date,
): Promise<void> {
  const user = await findUserById(trx, userId);
  if (!user) return;
  const url = getEnv().publicUrl + paths.secondFactors();
  const mail = factorMail({ name: user.firstName, username: user.username, at: now, what, detail, advice, url });
  await queueOwnMail(trx, userId, { dedupeKey: `second-factor:${userId}:${key}`, mail }, now);
}
