import { type Actor, recordAudit, recordAudits } from "~/domain/audit/audit.service.server";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { accountsMergedMail } from "~/domain/mail/templates/accounts.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { closeMerged, endPersonalTokens, moveOwned, type Moved } from "~db/repositories/account-merge.server";
import { inheritDetails } from "~db/repositories/former-details.server";
import { refreshOrdersOwner } from "~db/repositories/orders.server";
import { endSessionsOf } from "~db/repositories/sessions.server";
import { type NewUser, updateUser, type UserRow } from "~db/repositories/users.server";

const counted = (moved: Moved): string =>
  Object.entries(moved)
    .map(([table, count]) => `${table.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${count}`)
    .join(", ");

/**
 * Returns what the surviving account gains besides the details: the right Applicant, and a security question if it has none. The right
 * Admin is never gained, because only administrators grant it, not whoever can read a mailbox.
 */
function gains(survivor: UserRow, others: readonly UserRow[]): Partial<NewUser> {
  const hasQuestion = (user: UserRow) => user.securityQuestion !== null && user.securityAnswerHash !== null;
  const asked = hasQuestion(survivor) ? survivor : (others.find(hasQuestion) ?? survivor);
  const { securityQuestion, securityAnswerHash } = asked;
  const isApplicant = [survivor, ...others].some((user) => user.isApplicant);
  return { isApplicant, securityQuestion, securityAnswerHash };
}

/** Returns the details of the person alone. Only an owner changes the details of the company. */
function withoutCompanyColumns(details: Partial<NewUser>): Partial<NewUser> {
  const { company, companyRegistrationNumber, taxNumber, vatNumber, vatNumberChecked, ...others } = details;
  const { companyAddressId, invoicingAddressId, mailingAddressId, ...person } = others;
  return person;
}

export interface Merge {
  survivor: UserRow;
  /** One or more open accounts with the same email as the survivor. */
  others: readonly UserRow[];
  /** The new details of the survivor. */
  details: Partial<NewUser>;
  actor: Actor;
}

/**
 * Merges accounts in the caller's transaction, which holds locks on all of them. The email must have been confirmed, so that all accounts
 * belong to one person. Moves what the others own to the survivor, closes the others for good and ends their sessions. Writes audit entries
 * for each account and queues an email.
 */
export async function mergeAccounts(
  trx: Trx,
  { survivor, others, details, actor }: Merge,
  now = new Date(),
): Promise<void> {
  const ids = others.map(({ id }) => id);
  const usernames = others.map(({ username }) => username);
  await endPersonalTokens(trx, ids, now);
  const moved = await moveOwned(trx, ids, survivor.id, now);
  await inheritDetails(trx, others, survivor.id, now);
  await endSessionsOf(trx, ids, "merged", { now });
  await closeMerged(trx, ids, survivor.id, now);
  const kept = survivor.role === "owner" ? details : withoutCompanyColumns(details);
  await updateUser(trx, survivor.id, { ...kept, ...gains(survivor, others) }, now);
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
