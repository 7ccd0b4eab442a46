import { type Actor, recordAudit, recordAudits } from "~/domain/audit/audit.service.server";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { accountsMergedMail } from "~/domain/mail/templates/accounts.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { closeMerged, endPersonalTokens, moveOwned, type Moved } from "~db/repositories/account-merge.server";
import { refreshOrdersOwner } from "~db/repositories/orders.server";
import { updateUser, type UserRow } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";

const counted = (moved: Moved): string =>
  Object.entries(moved)
    .map(([table, count]) => `${table.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${count}`)
    .join(", ");

/**
 * What the surviving account gets beside the details: the right Applicant, and a security question if it has none. Admin is never
 * gained: it is granted by administrators, not by whoever reads a mailbox.
 */
function gains(survivor: UserRow, others: readonly UserRow[]): Partial<NewRow<"users">> {
  const hasQuestion = (user: UserRow) => user.securityQuestion !== null && user.securityAnswerHash !== null;
  const asked = hasQuestion(survivor) ? survivor : (others.find(hasQuestion) ?? survivor);
  const { securityQuestion, securityAnswerHash } = asked;
  const isApplicant = [survivor, ...others].some((user) => user.isApplicant);
  return { isApplicant, securityQuestion, securityAnswerHash };
}

export interface Merge {
  survivor: UserRow;
  /** Open accounts with the survivor's e-mail; one or more. */
  others: readonly UserRow[];
  /** The survivor's details from now on. */
  details: Partial<NewRow<"users">>;
  actor: Actor;
}

/**
 * Merges accounts whose e-mail is proved to be one person's, in the caller's transaction, which holds them all: what the others own
 * becomes the survivor's, they are closed for good and their sessions end. With audit entries for each, and a notice by mail.
 */
export async function mergeAccounts(
  trx: Trx,
  { survivor, others, details, actor }: Merge,
  now = new Date(),
): Promise<void> {
  const ids = others.map(({ id }) => id);
  const usernames = others.map(({ username }) => username);
  await endPersonalTokens(trx, ids, now);
  const moved = await moveOwned(trx, ids, survivor.id);
  await closeMerged(trx, ids, survivor.id, now);
  await updateUser(trx, survivor.id, { ...details, ...gains(survivor, others) }, now);
  await refreshOwnersCodes(trx, survivor.id);
  await refreshOrdersOwner(trx, { id: survivor.id, username: details.username ?? survivor.username });

  const message = `Merged into this account: ${usernames.join(", ")}. Moved ${counted(moved)}.`;
  await recordAudit(trx, { actor, event: "account.merged", message, userId: survivor.id }, now);
  const closed = { actor, event: "account.closed-by-merge", message: `Merged into '${survivor.username}'.` };
  await recordAudits(
    trx,
    ids.map((userId) => ({ ...closed, userId })),
    now,
  );
  const name = String(details.firstName ?? survivor.firstName);
  const url = getEnv().publicUrl + paths.forgotPassword;
  const mail = accountsMergedMail({ name, username: survivor.username, usernames, url });
  await queueOwnMail(trx, survivor.id, { dedupeKey: `accounts-merged:${Math.max(...ids)}`, mail }, now);
}
