import { isConfirmedHost, isConfirmedMailbox } from "~/ca/names/domain-control.server";
import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { addDays } from "~/lib/dates";
import { notFound } from "~/lib/errors";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import {
  type CompanyDomain,
  deleteDomain,
  findOpenDomain,
  insertDomain,
  listConfirmedNames,
  listEndedDomains,
  listOpenDomains,
  lockOpenDomain,
  updateDomain,
} from "~db/repositories/company-domains.server";
import { lockCompany } from "~db/repositories/members.server";
import { inTransaction } from "~db/transaction.server";
import { requireMember } from "../membership.server";
import { CHALLENGE_DAYS, isMailboxName, MOST_NAMES, WAITING_LIMIT } from "./challenge";
import { type CheckedMethod, checkControl } from "./check.server";
import { readClaim } from "./claim.server";
import { companyOf, confirmDomain, endConfirmation, recordDomain, requireNothingWider } from "./confirming.server";
import { challengeView, domainView } from "./domain-view.server";
import { newToken } from "./proofs.server";
import { domainRefusal } from "./refusal.server";

/** Throws a PortalError (403) for an acting administrator. */
export const requireOwnHand = (user: SessionUser): void => requireNoImpersonation(user, "the domains of the company");

/** Returns what `companyId` has confirmed that covers a domain or mailbox, or undefined. */
async function findCovering(db: DbOrTrx, { companyId, name }: Pick<CompanyDomain, "companyId" | "name">, now: Date) {
  const isCovered = isMailboxName(name) ? isConfirmedMailbox : isConfirmedHost;
  return (await listConfirmedNames(db, [companyId], now)).find((one) => isCovered(name, [one]));
}

const needless = (name: string, above: { name: string }) =>
  `${name} needs no confirmation: ${above.name} is confirmed.`;

/** Returns the view of a domain. One that waits although the company has confirmed a domain above it says so. */
async function viewOf(row: CompanyDomain, now: Date) {
  const view = domainView(row, now);
  const above = view.state === "Confirmed" ? undefined : await findCovering(getDb(), row, now);
  return above === undefined ? view : { ...view, remark: needless(row.name, above) };
}

/** Returns the domains and mailboxes of the company in which the user works, by name. */
export const listDomainsFor = async ({ companyId }: SessionUser, now = new Date()) =>
  Promise.all((await listOpenDomains(getDb(), companyId)).map((row) => viewOf(row, now)));

/** How many ended confirmations members see. */
const ENDED_SHOWN = 20;

/** Returns the latest confirmations of the company in which the user works that have ended, the latest first. */
export const listEndedFor = async ({ companyId }: SessionUser, now = new Date()) =>
  (await listEndedDomains(getDb(), companyId, ENDED_SHOWN)).map((row) => domainView(row, now));

/** Returns a domain of the company with its challenge. Throws a PortalError (404) when the company has none with this id. */
export async function getDomainFor({ companyId }: SessionUser, id: number, now = new Date()) {
  const row = await findOpenDomain(getDb(), { id, companyId });
  if (!row) throw notFound();
  return { ...(await viewOf(row, now)), challenge: challengeView(row, now) };
}

export type CompanyDomainPage = Awaited<ReturnType<typeof getDomainFor>>;

/** Returns what staff see of the domains of a company: all that have not ended, and the latest ones that have. */
export async function listDomainsOf(companyId: number, limit: number, now = new Date()) {
  const open = await listOpenDomains(getDb(), companyId);
  return [...open, ...(await listEndedDomains(getDb(), companyId, limit))].map((row) => domainView(row, now));
}

/** Throws a PortalError when the company has the name already, confirms it by another one, or waits for too many. */
async function requireNew(trx: Trx, companyId: number, name: string, now: Date): Promise<void> {
  const open = await listOpenDomains(trx, companyId);
  if (open.some((row) => row.name === name)) throw domainRefusal(`Your company has added ${name} already.`, "domain");
  const above = await findCovering(trx, { companyId, name }, now);
  if (above !== undefined) throw domainRefusal(needless(name, above), "domain");
  if (open.length >= MOST_NAMES)
    throw domainRefusal(`A company can have at most ${MOST_NAMES} domains and mailboxes. Remove one first.`, "domain");
  if (open.filter(({ confirmedAt }) => confirmedAt === null).length >= WAITING_LIMIT)
    throw domainRefusal(
      `At most ${WAITING_LIMIT} domains and mailboxes can wait for their confirmation. Remove one first.`,
      "domain",
    );
}

/**
 * Adds a domain or mailbox to the company in which the user works, with a new challenge. Returns its id. Throws a PortalError (403) when the
 * user may not manage the company, and one for the field `domain` that names the rule which the name breaks.
 */
export async function addDomain(user: SessionUser, typed: string, now = new Date()): Promise<number> {
  requireOwnHand(user);
  const name = readClaim(typed);
  const { companyId } = user;
  return inTransaction(async (trx) => {
    await lockCompany(trx, companyId, now);
    await requireMember(trx, user, user, "manage-company");
    await requireNew(trx, companyId, name, now);
    const challengeEndsAt = addDays(now, CHALLENGE_DAYS);
    const row = { companyId, name, createdBy: user.id, createdAt: now, token: newToken(), challengeEndsAt };
    const id = await insertDomain(trx, row);
    const message = `Added ${name} to the domains and mailboxes of ${user.company}.`;
    await recordDomain(trx, row, { actor: user.actor, event: "company.domain-added", message }, now);
    return id;
  });
}

/** Returns a domain of the user's company, locked by the transaction. Throws a PortalError (403) without the role, and (404) without the domain. */
export async function requireDomain(trx: Trx, user: SessionUser, id: number): Promise<CompanyDomain> {
  await requireMember(trx, user, user, "manage-company");
  const row = await lockOpenDomain(trx, { id, companyId: user.companyId });
  if (!row) throw notFound();
  return row;
}

const CHALLENGE_ENDED = `The values are older than ${CHALLENGE_DAYS} days. Ask for new ones, and use those.`;

/** Throws a PortalError when the challenge has ended, or has confirmed the domain already. */
export function requireOpenChallenge({ challengeEndsAt, confirmedToken, token }: CompanyDomain, now: Date): void {
  if (confirmedToken === token)
    throw domainRefusal("These values have confirmed the domain already. Ask for new ones, and use those.");
  if (challengeEndsAt <= now.toISOString()) throw domainRefusal(CHALLENGE_ENDED);
}

/** Which check is made of which domain. */
interface AskedCheck {
  id: number;
  method: CheckedMethod;
  /** Whether the company accepts that a file, which shows one host, ends its own confirmation of the whole domain. */
  isHostEnough?: boolean;
}

/**
 * Checks now whether a domain shows the value of its challenge, and confirms it if so. Throws a PortalError that says what was found instead,
 * when a file would end a confirmation of the whole domain, (403) when the user may not manage the company, (404) when the company has no
 * such domain, and (429) after too many checks.
 */
export async function checkDomain(
  user: SessionUser,
  { id, method, isHostEnough = false }: AskedCheck,
  now = new Date(),
): Promise<void> {
  requireOwnHand(user);
  const requireAllowed = async (trx: Trx) => {
    const row = await requireDomain(trx, user, id);
    if (method === "http") await requireNothingWider(trx, row, isHostEnough, now);
    return row;
  };
  const asked = await inTransaction(requireAllowed);
  if (isMailboxName(asked.name)) throw domainRefusal("A mailbox is confirmed by the link in a message to it.");
  requireOpenChallenge(asked, now);
  await consumeTry("domain-check-company", user.companyId);
  const found = await checkControl(asked.name, method, asked.token);
  const problem = await inTransaction(async (trx) => {
    const row = await requireAllowed(trx);
    if (row.token !== asked.token) return "The values were replaced meanwhile.";
    await updateDomain(trx, id, { checkedAt: now, problem: found?.text ?? null });
    if (found === null) await confirmDomain(trx, row, { method, actor: user.actor }, now);
    return found?.text ?? null;
  });
  if (problem !== null) throw domainRefusal(problem);
}

/** Gives a domain a new challenge. A confirmation stays until its end. Throws what `requireDomain` throws. */
export async function renewChallenge(user: SessionUser, id: number, now = new Date()): Promise<void> {
  requireOwnHand(user);
  await inTransaction(async (trx) => {
    const row = await requireDomain(trx, user, id);
    const challenge = { token: newToken(), challengeEndsAt: addDays(now, CHALLENGE_DAYS) };
    await updateDomain(trx, id, { ...challenge, mailTokenHash: null, problem: null });
    const message = `Asked for new values to confirm ${row.name} for ${user.company}.`;
    await recordDomain(trx, row, { actor: user.actor, event: "company.domain-renewed", message }, now);
  });
}

/** Removes a domain or mailbox, and with it its confirmation. Throws what `requireDomain` throws. */
export async function removeDomain(user: SessionUser, id: number, now = new Date()): Promise<void> {
  requireOwnHand(user);
  await inTransaction(async (trx) => {
    const row = await requireDomain(trx, user, id);
    if (row.confirmedAt !== null)
      return endConfirmation(trx, row, { actor: user.actor, why: "The company has removed it.", isTold: false }, now);
    await deleteDomain(trx, id);
    const message = `Removed ${row.name}, which was not confirmed, from ${user.company}.`;
    return recordDomain(trx, row, { actor: user.actor, event: "company.domain-removed", message }, now);
  });
}

/** Returns a confirmed domain of a company for staff. Throws a PortalError (404) when there is none with this id. */
export async function getDomainToEnd(companyId: number, id: number, now = new Date()) {
  const row = await findOpenDomain(getDb(), { id, companyId });
  if (!row?.confirmedAt) throw notFound();
  return { ...domainView(row, now), company: await inTransaction((trx) => companyOf(trx, row)) };
}

/**
 * Ends the confirmation of a company's domain for staff, and tells the owners of the company the reason. Returns the domain. Throws a PortalError (403) when the
 * rights do not allow it, and (404) when there is no such confirmation.
 */
export async function endDomain(
  user: SessionUser,
  { companyId, id, reason }: { companyId: number; id: number; reason: string },
  now = new Date(),
): Promise<string> {
  return inTransaction(async (trx) => {
    await requireTask(trx, user.actor, "end-domains");
    const row = await lockOpenDomain(trx, { id, companyId });
    if (!row?.confirmedAt) throw notFound();
    const why = `Our staff have ended it: ${reason}`;
    await endConfirmation(trx, row, { actor: user.actor, why, isTold: true }, now);
    return row.name;
  });
}
