import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { membershipMail } from "~/domain/mail/templates/companies.server";
import { accountPaths } from "~/lib/account-paths";
import { getEnv } from "~/lib/env.server";
import { notFound, PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { insertCompanies } from "~db/repositories/companies.server";
import {
  deleteMember,
  endInvitationsOf,
  insertMember,
  listCompaniesOf,
  listMembers,
  listUsefulCompanies,
  lockCompany,
  type MemberRow,
  updateRole,
} from "~db/repositories/members.server";
import { findUserById, setCompanyOf } from "~db/repositories/users.server";
import { type CompanyRole } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { companyReference } from "./company-reference";
import { endWithRole, lossTexts, lostWith } from "./lost-role.server";
import { requireMember } from "./membership.server";
import { COMPANY_LEFT, MEMBER_REMOVED } from "./own-companies.service.server";
import { personName } from "./people.server";
import { isLastOwner, ROLE_NAMES } from "./roles.policy";

/** A member as pages and calls show them. */
export interface MemberView {
  id: number;
  name: string;
  email: string;
  role: CompanyRole;
  /** ISO timestamps. `lastLoginAt` is null for somebody who has never logged in. */
  joinedAt: string;
  lastLoginAt: string | null;
  /** Whether the account is disabled, so that the member cannot log in. */
  isDisabled: boolean;
  /** Whether this is the person who asks. */
  isSelf: boolean;
}

/** Returns the members of the company in which the user works, in the order in which they joined. Every member may see them. */
export const listMembersFor = async (user: SessionUser): Promise<MemberView[]> =>
  (await listMembers(getDb(), user.companyId)).map(({ firstName, lastName, ...member }) => ({
    ...member,
    isDisabled: Boolean(member.isDisabled),
    name: personName({ firstName, lastName }),
    isSelf: member.id === user.id,
  }));

const refusal = (message: string) => new PortalError(message, { code: "company.member" });

const LAST_OWNER = "A company needs an owner. Make somebody else an owner first.";

/** Begins a change of the members: locks the company, and returns the member concerned with all members. */
async function openChange(trx: Trx, user: SessionUser, memberId: number, now: Date) {
  await lockCompany(trx, user.companyId, now);
  const members = await listMembers(trx, user.companyId);
  const member = members.find(({ id }) => id === memberId);
  if (!member) throw notFound();
  return { member, members };
}

/** Throws a PortalError when the company would be left without an owner who can log in. */
function requireOtherOwner(member: MemberRow, members: readonly MemberRow[]): void {
  if (isLastOwner(member, members)) throw refusal(LAST_OWNER);
}

interface Told {
  event: string;
  /** What the audit entry says. */
  message: string;
  /** What the member is told by mail, as a sentence without its full stop. */
  what: string;
  /** The page that the message links. The default is the company. */
  link?: { label: string; path: string };
}

const OWN_COMPANY = { label: "Open your company", path: paths.company };
/** Somebody without a company opens this page, too. */
const OWN_DATA = { label: "See your data", path: accountPaths.personalData };

/** Records a change of a member, and tells the member when somebody else has made it. */
async function tell(trx: Trx, user: SessionUser, member: MemberRow, told: Told, now: Date) {
  const { event, message, what, link = OWN_COMPANY } = told;
  const reference = companyReference(user.companyId);
  await recordAudit(trx, { actor: user.actor, event, message, userId: member.id, reference }, now);
  if (member.id === user.id) return;
  const mail = membershipMail({
    name: member.firstName,
    company: user.company,
    what,
    by: `${personName(user)} (${user.email})`,
    action: { label: link.label, url: getEnv().publicUrl + link.path },
  });
  await queueOwnMail(
    trx,
    member.id,
    { dedupeKey: `company-membership:${user.companyId}:${member.id}:${now.getTime()}`, mail },
    now,
  );
}

const WHAT = "the members of the company";

/**
 * Gives a member another role. The open invitations of somebody who is no owner any more end. Throws a PortalError (403) when the user is no
 * owner, (404) when the person is no member, and (422) when the company would have no owner left.
 */
export async function changeMemberRole(
  user: SessionUser,
  memberId: number,
  role: CompanyRole,
  now = new Date(),
): Promise<void> {
  requireNoImpersonation(user, WHAT);
  await inTransaction(async (trx) => {
    const { member, members } = await openChange(trx, user, memberId, now);
    await requireMember(trx, user, user, "manage-company");
    if (member.role === role) return;
    requireOtherOwner(member, members);
    const change = { member, to: role };
    const lost = await lostWith(trx, user, change, now);
    const membership = { companyId: user.companyId, userId: member.id };
    await updateRole(trx, membership, role);
    if (member.role === "owner") await endInvitationsOf(trx, membership, now);
    const [before, after] = [ROLE_NAMES[member.role], ROLE_NAMES[role]];
    const message = `Changed the role of ${member.email} in ${user.company} from ${before} to ${after}.`;
    const what = `Your role in ${user.company} is now ${after}`;
    await tell(trx, user, member, { event: "company.role-changed", message, what }, now);
    await endWithRole(trx, user, change, lost, { actor: user.actor, now });
  });
}

/** The role that somebody keeps who hands a company over. */
const KEPT = "purchaser" satisfies CompanyRole;

/**
 * Makes another member an owner and the user a purchaser, in one step. Throws a PortalError (403) when the user is no owner, and (404) when
 * the person is no member.
 */
export async function handOverCompany(user: SessionUser, memberId: number, now = new Date()): Promise<void> {
  requireNoImpersonation(user, WHAT);
  await inTransaction(async (trx) => {
    const { member } = await openChange(trx, user, memberId, now);
    await requireMember(trx, user, user, "manage-company");
    if (member.id === user.id) throw refusal("You own the company already.");
    if (member.isDisabled) throw refusal("This account is disabled. Choose somebody who can log in.");
    const change = { member: user, to: KEPT } as const;
    const lost = await lostWith(trx, user, change, now);
    await updateRole(trx, { companyId: user.companyId, userId: member.id }, "owner");
    const own = { companyId: user.companyId, userId: user.id };
    await updateRole(trx, own, KEPT);
    await endInvitationsOf(trx, own, now);
    const message = `Handed ${user.company} over to ${member.email}, and kept the role ${ROLE_NAMES[KEPT]}.`;
    const what = `You are now an owner of ${user.company}`;
    await tell(trx, user, member, { event: "company.handed-over", message, what }, now);
    await endWithRole(trx, user, change, lost, { actor: user.actor, now });
  });
}

export type MemberQuestion = "remove" | "hand-over" | "role";

/**
 * Returns what a question about a member must say: what ends or pauses with the change, in whole sentences. Throws a PortalError when the
 * change would be refused because the company would be left without an owner.
 *
 * @param role The role that the member would get, for the question `role`.
 */
export async function consequencesOf(
  user: SessionUser,
  memberId: number,
  question: MemberQuestion,
  role: CompanyRole | null = null,
  now = new Date(),
): Promise<string[]> {
  const members = await listMembers(getDb(), user.companyId);
  const concerned = members.find(({ id }) => id === (question === "hand-over" ? user.id : memberId));
  if (!concerned) throw notFound();
  const to = question === "hand-over" ? KEPT : question === "remove" ? null : role;
  if (question !== "hand-over" && to !== "owner") requireOtherOwner(concerned, members);
  const lost = await lostWith(getDb(), user, { member: concerned, to }, now);
  return lossTexts(lost, concerned.id === user.id ? null : personName(concerned));
}

/**
 * Moves a person who has left a company to the one they joined first, preferably one that is not empty, or to a new one of their own when
 * there is none left.
 */
async function moveOn(trx: Trx, member: MemberRow, left: number, now: Date): Promise<void> {
  const account = await findUserById(trx, member.id);
  if (account?.companyId !== left) return;
  const [useful] = await listUsefulCompanies(trx, { id: member.id });
  const [other] = useful ? [useful] : await listCompaniesOf(trx, member.id);
  let companyId = other?.id;
  if (companyId === undefined) {
    const own = { name: personName(member), createdAt: now, updatedAt: now };
    companyId = (await insertCompanies(trx, [own]))[0] as number;
    await insertMember(trx, { companyId, userId: member.id, role: "owner", joinedAt: now });
  }
  await setCompanyOf(trx, { companyId, userId: member.id }, now);
}

/**
 * Removes a member, or lets the user leave. What the person ordered stays with the company. The person's open invitations end, and so do the
 * renewals that they have prepared (`endWithRole`). From then on the person works in another of their companies, or in a new one of their
 * own. Throws a PortalError (403) when the user is no owner and removes somebody else, (404) when the person is no member, and (422) when
 * the company would have no owner left.
 */
export async function removeMember(user: SessionUser, memberId: number, now = new Date()): Promise<void> {
  requireNoImpersonation(user, WHAT);
  await inTransaction(async (trx) => {
    const { member, members } = await openChange(trx, user, memberId, now);
    const isSelf = member.id === user.id;
    if (!isSelf) await requireMember(trx, user, user, "manage-company");
    requireOtherOwner(member, members);
    const change = { member, to: null };
    const lost = await lostWith(trx, user, change, now);
    const membership = { companyId: user.companyId, userId: member.id };
    await deleteMember(trx, membership);
    await endInvitationsOf(trx, membership, now);
    await moveOn(trx, member, user.companyId, now);
    const message = isSelf ? `Left ${user.company}.` : `Removed ${member.email} from ${user.company}.`;
    const event = isSelf ? COMPANY_LEFT : MEMBER_REMOVED;
    const what = `You are no longer a member of ${user.company}`;
    await tell(trx, user, member, { event, message, what, link: OWN_DATA }, now);
    await endWithRole(trx, user, change, lost, { actor: user.actor, now });
  });
}
