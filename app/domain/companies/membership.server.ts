import { isStaff, type RightsHolder, type Task } from "~/domain/accounts/rights.policy";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor } from "~/domain/audit/audit.service.server";
import { type DbOrTrx } from "~db/connection.server";
import { findRole } from "~db/repositories/companies.server";
import { type CompanyTask, mayAsMember, type Member, requireRole } from "./roles.policy";

type Person = Member & { id: number };

interface Owned {
  companyId: number;
}

/**
 * Throws a PortalError (403) when the stored role of a person in this company does not allow the task. Every service that changes something
 * for a company calls this in its transaction, so that a role that was taken away since the page was opened does not count.
 */
export async function requireMember(db: DbOrTrx, person: Person, { companyId }: Owned, task: CompanyTask) {
  const role = await findRole(db, { companyId, userId: person.id });
  requireRole({ isApplicant: person.isApplicant, role }, task);
}

/**
 * Throws a PortalError (403) unless the person is a member of this company with a role that allows `task`, or staff whose rights allow
 * `staffTask`.
 */
export async function requireMemberOrStaff(
  db: DbOrTrx,
  person: Person & RightsHolder & { actor: Actor },
  { companyId }: Owned,
  { task, staffTask }: { task: CompanyTask; staffTask: Task },
): Promise<void> {
  const role = await findRole(db, { companyId, userId: person.id });
  if (mayAsMember({ isApplicant: person.isApplicant, role }, task)) return;
  if (role === null || isStaff(person)) await requireTask(db, person.actor, staffTask);
  else requireRole({ isApplicant: person.isApplicant, role }, task);
}
