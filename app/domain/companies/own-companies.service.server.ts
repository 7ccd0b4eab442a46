import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { notFound } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findLatestReference } from "~db/repositories/audit-entries.server";
import { findCompany, findRole } from "~db/repositories/companies.server";
import { listCompaniesOf, listUsefulCompanies, lockCompany } from "~db/repositories/members.server";
import { setCompanyOf } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { companyIdOf } from "./company-reference";
import { requireMayWorkIn } from "./no-staff.server";

type Named = Readonly<{ id: number; name: string }>;

/**
 * Returns the companies that the user can choose from, the one joined first at the top. An own company without details, anything ordered and
 * colleagues is not offered, unless the user works in it.
 */
export const listOwnCompanies = ({ id, companyId }: Pick<SessionUser, "id" | "companyId">) =>
  listUsefulCompanies(getDb(), { id, worksIn: companyId });

/** Returns the name of one of a person's companies, with its number when another one of them has the same name. */
export const nameAmong = ({ id, name }: Named, companies: readonly Named[]): string =>
  companies.some((other) => other.id !== id && other.name === name) ? `${name} (number ${id})` : name;

/**
 * Chooses the company in which the user works from now on, in every browser and program. Returns its name. Throws a PortalError (404) when
 * the user is no member of it, and what `requireMayWorkIn` throws.
 */
export async function chooseCompany(user: SessionUser, companyId: number, now = new Date()): Promise<string> {
  requireNoImpersonation(user, "the company");
  return inTransaction(async (trx) => {
    await lockCompany(trx, companyId, now); // so that nobody chooses a company from which they are being removed
    const companies = await listCompaniesOf(trx, user.id);
    const company = companies.find(({ id }) => id === companyId);
    if (!company) throw notFound();
    const name = nameAmong(company, companies);
    if (company.id !== user.companyId) {
      await requireMayWorkIn(trx, { companyId, userId: user.id });
      await setCompanyOf(trx, { companyId, userId: user.id }, now);
      const message = `Works for ${name} from now on.`;
      await recordAudit(trx, { actor: user.actor, event: "company.chosen", message, userId: user.id }, now);
    }
    return name;
  });
}

/** The events with which somebody leaves a company. */
export const COMPANY_LEFT = "company.left";
export const MEMBER_REMOVED = "company.member-removed";

/**
 * Returns the name of the company that the user left last, or from which somebody removed them, or null when there is none or the user is a
 * member again.
 */
export async function findCompanyLeft({ id }: Pick<SessionUser, "id">): Promise<string | null> {
  const reference = await findLatestReference(getDb(), id, [COMPANY_LEFT, MEMBER_REMOVED]);
  const companyId = reference === null ? null : companyIdOf(reference);
  if (companyId === null || (await findRole(getDb(), { companyId, userId: id })) !== null) return null;
  return (await findCompany(getDb(), companyId))?.name ?? null;
}
