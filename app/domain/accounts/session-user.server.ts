import { getConfig } from "~/lib/config.server";
import { getDb } from "~db/connection.server";
import { findUserAmongOthers, type UserAmongOthers, type UserRow } from "~db/repositories/users.server";
import { type Row, type SignOnStrength } from "~db/tables";
import { hasDetailsMissing, passwordAge } from "./accounts.policy";
import { factorDueAt } from "./factors/factors.policy";
import { type SessionUser } from "./session-user";
import { isOpenSession } from "./sessions/sessions.policy";
import { mayActAs, staffRightsOf } from "./staff-rights.server";

/** The account of a session and its session epoch at login. */
export interface SessionOwner {
  id: number;
  epoch: number;
}

/** Returns the account of a session, or null when the account is gone or disabled, or its epoch was raised since the login. */
async function findOwner({ id, epoch }: SessionOwner): Promise<UserAmongOthers | null> {
  const row = await findUserAmongOthers(getDb(), id);
  return row && !row.isDisabled && row.sessionEpoch === epoch ? row : null;
}

/** Returns what an account says of its person, whoever acts with it. */
export const personIn = (row: UserRow) => ({
  id: row.id,
  username: row.username,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  position: row.position,
  telephoneNumber: row.telephoneNumber,
  emailVerified: row.emailVerifiedAt !== null,
  hasDetailsMissing: hasDetailsMissing(row),
});

/**
 * Returns the user of a session, or null when the session is no longer valid, or when the person is no member of the stored company.
 *
 * @param impersonator The administrator who acts as the user. The session ends with the session of either account, when the
 * administrator loses the right to act as others, and when the user becomes staff, because nobody can act as staff.
 */
export async function findSessionUser(
  owner: SessionOwner,
  impersonator?: SessionOwner,
  now = new Date(),
): Promise<SessionUser | null> {
  const row = await findOwner(owner);
  const admin = impersonator && (await findOwner(impersonator));
  if (!row?.role || (impersonator && !admin)) return null;
  if (admin && !(await mayActAs(getDb(), row, admin))) return null;
  const rights = await staffRightsOf(getDb(), row);
  const { passwordMaxAgeDays, factorGraceDays } = getConfig().accounts;
  const dueAt = factorDueAt({ rights, factorAskedAt: row.factorAskedAt }, factorGraceDays);
  return {
    ...personIn(row),
    companyId: row.companyId,
    company: row.company,
    role: row.role,
    isAdmin: row.isAdmin,
    rights,
    isApplicant: row.isApplicant,
    hasSeveralAccounts: row.hasOtherAccounts,
    passwordAge: passwordAge(row, passwordMaxAgeDays, now),
    impersonator: admin ? { id: admin.id, name: `${admin.firstName} ${admin.lastName}` } : null,
    actor: { id: row.id, name: row.email, impersonatorId: admin?.id ?? null },
    sessionId: null,
    proof: null,
    signedOnWith: null,
    factorDueAt: dueAt,
    isFactorOverdue: dueAt !== null && dueAt <= now.toISOString(),
    apiClient: null,
  };
}

export const ownerIn = ({ userId, epoch }: Row<"sessions">): SessionOwner => ({ id: userId, epoch });

/** Returns the administrator who acts as the user in a session, or undefined. */
export const impersonatorIn = ({ impersonatorId, impersonatorEpoch }: Row<"sessions">): SessionOwner | undefined =>
  impersonatorId === null ? undefined : { id: impersonatorId, epoch: impersonatorEpoch ?? -1 };

/**
 * Returns which duties a login through the identity provider lifts: nobody there uses the portal's password, and whoever used a second
 * factor there needs none here.
 */
function dutiesLifted(signedOnWith: SignOnStrength | null): Partial<SessionUser> {
  if (signedOnWith === null) return {};
  const isFactorLifted = signedOnWith === "two-factors";
  return { passwordAge: "fresh", ...(isFactorLifted && { factorDueAt: null, isFactorOverdue: false }) };
}

/** Returns the user of a stored session, or null when the session is no longer valid. */
export async function findUserOf(session: Row<"sessions">, now = new Date()): Promise<SessionUser | null> {
  if (!isOpenSession(session, now)) return null;
  const user = await findSessionUser(ownerIn(session), impersonatorIn(session), now);
  const { id, provedAt, provedBy, signedOnWith } = session;
  const proof = provedAt && provedBy ? { at: provedAt, by: provedBy } : null;
  return user && { ...user, sessionId: id, proof, signedOnWith, ...(!user.impersonator && dutiesLifted(signedOnWith)) };
}
