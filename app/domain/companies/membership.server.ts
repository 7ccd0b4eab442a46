import { isStaff, type RightsHolder, type Task } from "~/domain/accounts/rights.policy";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { stateOf } from "~/domain/api-clients/client-state.policy";
import { type ActingClient, readScopes, roleFor } from "~/domain/api-clients/scopes.policy";
import { type Actor } from "~/domain/audit/audit.service.server";
import { type DbOrTrx } from "~db/connection.server";
import { findApiClient } from "~db/repositories/api-clients.server";
import { findRole } from "~db/repositories/companies.server";
import { type CompanyRole } from "~db/tables";
import { type CompanyTask, mayAsMember, type Member, requireRole } from "./roles.policy";

type Person = Member & { id: number; apiClient: ActingClient | null };

interface Owned {
  companyId: number;
}

/**
 * Returns the stored role of a person in a company, or null for somebody who is no member. An API client has the role that its scopes need,
 * in its own company only, and for as long as it may be used.
 */
async function storedRole(db: DbOrTrx, { id, apiClient }: Person, { companyId }: Owned): Promise<CompanyRole | null> {
  if (!apiClient) return findRole(db, { companyId, userId: id });
  const client = await findApiClient(db, apiClient.id);
  if (client?.companyId !== companyId || stateOf(client, new Date()) !== "Active") return null;
  const stored = readScopes(client.scopes);
  return roleFor(apiClient.scopes.filter((scope) => stored.includes(scope)));
}

/**
 * Throws a PortalError (403) when the stored role of a person in this company does not allow the task. Every service that changes something
 * for a company calls this in its transaction, so that a role that was taken away since the page was opened does not count.
 */
export async function requireMember(db: DbOrTrx, person: Person, { companyId }: Owned, task: CompanyTask) {
  const role = await storedRole(db, person, { companyId });
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
  const role = await storedRole(db, person, { companyId });
  if (mayAsMember({ isApplicant: person.isApplicant, role }, task)) return;
  if (role === null || isStaff(person)) await requireTask(db, person.actor, staffTask);
  else requireRole({ isApplicant: person.isApplicant, role }, task);
}
