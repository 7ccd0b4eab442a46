import { randomBytes } from "node:crypto";
import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { invitationMail } from "~/domain/mail/templates/companies.server";
import { type Client } from "~/domain/security-events/client";
import { noteDeadLink } from "~/domain/security-events/dead-link.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { notFound, PortalError } from "~/lib/errors";
import { networkOf } from "~/lib/networks.server";
import { rarePaths } from "~/lib/rare-paths";
import { getDb, type Trx } from "~db/connection.server";
import { eraseCompany } from "~db/repositories/erasure.server";
import {
  deleteMember,
  endInvitation,
  endInvitationsOf,
  endInvitationsTo,
  findInvitation,
  insertInvitation,
  insertMember,
  type InvitationRow,
  listEmptyCompanies,
  listExpiredInvitations,
  listMembers,
  listOpenInvitations,
  lockCompany,
  noteAccepted,
} from "~db/repositories/members.server";
import { hashOf } from "~db/repositories/tokens.server";
import { listUsersByLogin, setCompanyOf } from "~db/repositories/users.server";
import { type CompanyRole } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { companyReference } from "./company-reference";
import { requireMember } from "./membership.server";
import { requireNoStaff } from "./no-staff.server";
import { personName } from "./people.server";
import { ROLE_NAMES } from "./roles.policy";

/** How many days an invitation can be used. */
export const INVITATION_DAYS = 7;

/** How many days owners see an invitation that nobody used. */
const SHOWN_DAYS = 14;

/** An invitation as owners see it. */
export interface InvitationView {
  id: number;
  email: string;
  role: CompanyRole;
  /** The name of the person who invited. */
  by: string;
  /** An ISO timestamp. */
  expiresAt: string;
}

const viewOf = ({ id, email, role, expiresAt, ...by }: Awaited<ReturnType<typeof listOpenInvitations>>[number]) => ({
  id,
  email,
  role,
  by: personName(by),
  expiresAt,
});

/** Returns the open invitations of the company in which the user works, oldest first. */
export const listInvitationsFor = async (user: SessionUser, now = new Date()): Promise<InvitationView[]> =>
  (await listOpenInvitations(getDb(), user.companyId, now)).map(viewOf);

/** Returns the invitations of the company in which the user works that nobody used, for two weeks after their end, oldest first. */
export async function listUnusedInvitationsFor(user: SessionUser, now = new Date()): Promise<InvitationView[]> {
  const since = new Date(now.getTime() - SHOWN_DAYS * DAY);
  return (await listExpiredInvitations(getDb(), user.companyId, { since, now })).map(viewOf);
}

const refusal = (message: string, field?: string) =>
  new PortalError(message, { code: "company.invitation", ...(field && { field }) });

const UNCONFIRMED = "Please confirm your own email address first. Until then, we do not write to people whom you name.";

/**
 * Invites a person to the company in which the user works. The link in the message can be used once, within seven days, by an account with
 * this address. It replaces an earlier one to the same address. Returns the role in an open one that it replaces, or null. Throws a PortalError (403) when the user is no owner, for the field `email`
 * when the person is a member already, what `requireNoStaff` throws, and (429) after too many invitations in a day.
 */
export async function inviteMember(
  user: SessionUser,
  { email: typed, role }: { email: string; role: CompanyRole },
  now = new Date(),
): Promise<CompanyRole | null> {
  requireNoImpersonation(user, "the members of the company");
  if (!user.emailVerified) throw refusal(UNCONFIRMED);
  const email = typed.toLowerCase();
  await consumeTry("invitation-company", user.companyId);
  return inTransaction(async (trx) => {
    await lockCompany(trx, user.companyId, now);
    await requireMember(trx, user, user, "manage-company");
    await requireNoStaff(trx, user.companyId, now);
    if ((await listMembers(trx, user.companyId)).some((member) => member.email === email))
      throw refusal("This person is a member of your company already.", "email");
    const replaced = await endInvitationsTo(trx, { companyId: user.companyId, email }, now);
    const token = randomBytes(32).toString("base64url");
    const id = await insertInvitation(trx, {
      companyId: user.companyId,
      email,
      role,
      tokenHash: hashOf(token),
      invitedBy: user.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY),
    });
    const mail = invitationMail({
      company: user.company,
      inviter: `${user.firstName} ${user.lastName} (${user.email})`,
      role: ROLE_NAMES[role],
      validFor: `${INVITATION_DAYS} days`,
      url: getEnv().publicUrl + rarePaths.invitation(token),
    });
    await queueMail(trx, { dedupeKey: `company-invitation:${id}`, to: email, mail }, now);
    const message = `Invited ${email} to ${user.company} as ${ROLE_NAMES[role]}.`;
    const about = { userId: user.id, reference: companyReference(user.companyId) };
    await recordAudit(trx, { actor: user.actor, event: "company.invited", message, ...about }, now);
    return replaced.find(({ expiresAt }) => expiresAt > now.toISOString())?.role ?? null;
  });
}

/** Withdraws an open invitation. Throws a PortalError (403) when the user is no owner, and (404) when it cannot be used any more. */
export async function withdrawInvitation(user: SessionUser, id: number, now = new Date()): Promise<void> {
  requireNoImpersonation(user, "the members of the company");
  await inTransaction(async (trx) => {
    await requireMember(trx, user, user, "manage-company");
    const ended = await endInvitation(trx, { id, companyId: user.companyId }, now);
    if (!ended) throw notFound();
    const message = `Withdrew the invitation of ${ended.email} to ${user.company}.`;
    const about = { userId: user.id, reference: companyReference(user.companyId) };
    await recordAudit(trx, { actor: user.actor, event: "company.invitation-withdrawn", message, ...about }, now);
  });
}

/** What a link to a company says. */
export interface OpenInvitation {
  company: string;
  email: string;
  role: CompanyRole;
  /** Whether an account with this address exists, which can log in and join. Otherwise the person registers. */
  hasAccount: boolean;
}

/**
 * Returns what the link of an invitation says, or null when it was used, withdrawn, replaced or is older than seven days. Throws a
 * PortalError (429) after too many links from one network.
 */
export async function openInvitation(token: string, client: Client, now = new Date()): Promise<OpenInvitation | null> {
  await consumeTry("authorise-address", networkOf(client.address));
  const row = await findInvitation(getDb(), hashOf(token), now);
  if (!row) {
    noteDeadLink(client, "to join a company");
    return null;
  }
  const { company, email, role } = row;
  return { company, email, role, hasAccount: (await listUsersByLogin(getDb(), email)).length > 0 };
}

/** The error for a link that cannot be used any more. */
export const INVITATION_ENDED = "This invitation was used, was withdrawn or has ended. Ask for a new one.";

/**
 * Uses up the invitation of a link for an account with this address, in the caller's transaction. Returns it with the name of the company.
 * Throws a PortalError when it cannot be used any more, or when it is for another address.
 */
export async function takeInvitation(
  trx: Trx,
  token: string,
  email: string,
  now: Date,
): Promise<InvitationRow & { company: string }> {
  const row = await findInvitation(trx, hashOf(token), now);
  if (!row) throw refusal(INVITATION_ENDED);
  if (row.email !== email)
    throw refusal(`This invitation is for ${row.email}. Log in with an account that has this address.`);
  if (!(await endInvitation(trx, row, now))) throw refusal(INVITATION_ENDED);
  return row;
}

/** Records that a person has joined a company. */
export const recordJoined = (
  trx: Trx,
  actor: Actor,
  { companyId, company, role, userId }: { companyId: number; company: string; role: CompanyRole; userId: number },
  now: Date,
): Promise<void> => {
  const message = `Joined ${company} as ${ROLE_NAMES[role]}.`;
  const reference = companyReference(companyId);
  return recordAudit(trx, { actor, event: "company.joined", message, userId, reference }, now);
};

/** The event with which a company ends. */
export const COMPANY_ENDED = "company.ended";

/** What takes the place of the name of a company that ended. It was often the name of its person, who may be erased one day. */
const ENDED_COMPANY = "Ended company";

/**
 * Takes the user out of their own companies that nobody needs any more: they have no details, own nothing and have no other member. The
 * portal makes such a company for whoever leaves their only one, so that every account has a company.
 */
async function endEmptyCompanies(trx: Trx, user: SessionUser, joined: string, now: Date): Promise<void> {
  for (const { id: companyId } of await listEmptyCompanies(trx, user.id)) {
    const membership = { companyId, userId: user.id };
    await deleteMember(trx, membership);
    await endInvitationsOf(trx, membership, now);
    await eraseCompany(trx, companyId, ENDED_COMPANY, now);
    // The name, which is often the person's own, would stay in the trail although the company loses it.
    const message = `Ended their own company, which had no details and owned nothing, by joining ${joined}.`;
    const about = { userId: user.id, reference: companyReference(companyId) };
    await recordAudit(trx, { actor: user.actor, event: COMPANY_ENDED, message, ...about }, now);
  }
}

/**
 * Makes the user a member of the company that invited them. They work in it from then on, and their own companies that are empty end
 * (`endEmptyCompanies`). Returns the name of the company. Throws what
 * `takeInvitation` and `requireNoStaff` throw, and a PortalError (403) when an administrator acts as the user.
 */
export async function acceptInvitation(user: SessionUser, token: string, now = new Date()): Promise<string> {
  requireNoImpersonation(user, "the company");
  return inTransaction(async (trx) => {
    const { id, companyId, company, role } = await takeInvitation(trx, token, user.email, now);
    await noteAccepted(trx, id, user.id);
    await lockCompany(trx, companyId, now);
    await insertMember(trx, { companyId, userId: user.id, role, joinedAt: now });
    await setCompanyOf(trx, { companyId, userId: user.id }, now);
    await requireNoStaff(trx, companyId, now);
    await recordJoined(trx, user.actor, { companyId, company, role, userId: user.id }, now);
    await endEmptyCompanies(trx, user, company, now);
    return company;
  });
}
