import { findSessionUser } from "~/domain/accounts/session-user.server";
import { inviteMember } from "~/domain/companies/invitations.service.server";
import { getDb } from "~db/connection.server";
import { insertMember } from "~db/repositories/members.server";
import { setCompanyOf } from "~db/repositories/users.server";
import { type CompanyRole } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { createUser } from "./factories";
import { mailsTo } from "./recovery";

type Given = Parameters<typeof createUser>[0];

/** Creates a person who works in the company of another one, in this role. The person owns a company of their own, too. */
export async function createColleague({ companyId }: { companyId: number }, role: CompanyRole, given: Given = {}) {
  const user = await createUser({ firstName: "Bernd", lastName: `The ${role}`, ...given });
  const now = new Date();
  await inTransaction(async (trx) => {
    await insertMember(trx, { companyId, userId: user.id, role, joinedAt: now });
    await setCompanyOf(trx, { companyId, userId: user.id }, now);
  });
  return { ...user, companyId };
}

/** Returns a person as a session without impersonation sees them. */
export async function personOf({ id, sessionEpoch = 0 }: { id: number; sessionEpoch?: number }) {
  const person = await findSessionUser({ id, epoch: sessionEpoch });
  if (!person) throw new Error("There is no such person.");
  return person;
}

/** Returns the members of a company with their roles, by id of the account. */
export const rolesIn = async ({ companyId }: { companyId: number }) =>
  Object.fromEntries(
    (await getDb().selectFrom("memberships").selectAll().where("companyId", "=", companyId).execute()).map(
      ({ userId, role }) => [userId, role],
    ),
  );

/** Returns the tokens of the invitations that were sent to this address, oldest first. */
export const invitationsTo = async (email: string): Promise<string[]> =>
  (await mailsTo(email)).map(({ text }) => /\/invitation\/(\S+)/.exec(text)?.[1] ?? "").filter(Boolean);

/** Invites an address to the company of an owner. Returns the token of the link. */
export async function invite(owner: { id: number }, email: string, role: CompanyRole = "purchaser"): Promise<string> {
  await inviteMember(await personOf(owner), { email, role });
  return (await invitationsTo(email)).at(-1) ?? "";
}
