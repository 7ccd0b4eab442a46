import { type Actor, recordAudit, recordAudits } from "~/domain/audit/audit.service.server";
import { refreshOwnersCodes } from "~/domain/codes/owner-columns.server";
import { companyReference } from "~/domain/companies/company-reference";
import { ROLE_NAMES } from "~/domain/companies/roles.policy";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { accountsMergedMail } from "~/domain/mail/templates/accounts.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import {
  closeMerged,
  endPersonalTokens,
  listJoinedCompanies,
  moveOwned,
  type Moved,
} from "~db/repositories/account-merge.server";
import { inheritDetails } from "~db/repositories/former-details.server";
import { refreshOrdersOwner } from "~db/repositories/orders.server";
import { endSessionsOf } from "~db/repositories/sessions.server";
import { type CompanyColumns, type NewUser, updateUser, type UserRow } from "~db/repositories/users.server";
import { accountChanges, detailsOf, mailingAddressChange } from "../account-details.server";
import { getProfile, toProfile } from "../profile.service.server";
import { type CompanyOutcome } from "./consolidation.policy";
import { outcomesFor } from "./consolidation.server";

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

type PersonName = "firstName" | "lastName" | "position" | "telephoneNumber";

/** The new details of the surviving account: always those of the person, and all those of the company or none. */
export type MergedDetails = Pick<UserRow, PersonName> & (CompanyColumns | Partial<Record<keyof CompanyColumns, never>>);

export interface Merge {
  survivor: UserRow;
  /** One or more open accounts with the same email as the survivor. */
  others: readonly UserRow[];
  /** The new details of the survivor. */
  details: MergedDetails;
  actor: Actor;
}

/** Returns the audit entries about the companies of merged accounts, each with the number of its company. */
function entriesOf(outcomes: readonly CompanyOutcome[], username: string) {
  const by = `by the merge of accounts into '${username}'`;
  return outcomes.flatMap(({ id, name, into, takes, role, formerRole }) => {
    const reference = companyReference(id);
    const merged = (from: string, to: string) => ({
      event: "company.merged",
      message: `${from} became part of ${to} ${by}.`,
      reference,
    });
    if (into !== null) return [merged(name, into)];
    const taken = takes.map((other) => merged(other, name));
    const as = ROLE_NAMES[role];
    if (formerRole === null)
      return [...taken, { event: "company.joined", message: `Joined ${name} as ${as} ${by}.`, reference }];
    if (formerRole === role) return taken;
    return [...taken, { event: "company.role-changed", message: `Became ${as} of ${name} ${by}.`, reference }];
  });
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
  const joined = await listJoinedCompanies(trx, ids, survivor.id);
  const outcomes = await outcomesFor(trx, [survivor, ...others], joined);
  await endPersonalTokens(trx, ids, now);
  const moved = await moveOwned(trx, ids, survivor.id, now);
  await inheritDetails(trx, others, survivor.id, now);
  await endSessionsOf(trx, ids, "merged", { now });
  await closeMerged(trx, ids, survivor.id, now);
  const before = await toProfile(trx, survivor);
  await updateUser(trx, survivor.id, { ...details, ...gains(survivor, others) }, now);
  const after = await getProfile(survivor.id, trx);
  const changed = [
    ...(await accountChanges(trx, detailsOf(before), detailsOf(after))),
    ...(await mailingAddressChange(trx, before, after)),
  ];
  await refreshOwnersCodes(trx, survivor.id);
  await refreshOrdersOwner(trx, { id: survivor.id, username: survivor.username });

  const message = `Merged into this account: ${usernames.join(", ")}. Moved ${counted(moved)}.`;
  await recordAudit(trx, { actor, event: "account.merged", message, userId: survivor.id }, now);
  const about = { actor, userId: survivor.id };
  await recordAudits(
    trx,
    entriesOf(outcomes, survivor.username).map((entry) => ({ ...about, ...entry })),
    now,
  );
  if (changed.length > 0) {
    const reference = details.company === undefined ? null : companyReference(survivor.companyId);
    const words = `Changed the user details by the merge: ${changed.join(", ")}.`;
    const entry = { actor, event: "account.details-updated", message: words, userId: survivor.id, reference };
    await recordAudit(trx, entry, now);
  }
  const closed = { actor, event: "account.closed-by-merge", message: `Merged into '${survivor.username}'.` };
  await recordAudits(
    trx,
    ids.map((userId) => ({ ...closed, userId })),
    now,
  );
  const name = details.firstName;
  const url = getEnv().publicUrl + paths.forgotPassword;
  const mail = accountsMergedMail({ name, username: survivor.username, usernames, url });
  await queueOwnMail(trx, survivor.id, { dedupeKey: `accounts-merged:${Math.max(...ids)}`, mail }, now);
}
