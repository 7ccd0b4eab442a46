import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { foldForSearch } from "~/lib/fold-text";
import { findPageOf, type Glance, LARGEST_ID, readNumber } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { findCompany, listCompaniesNamed } from "~db/repositories/companies.server";
import { countCompanies, countMembersOf, findCompanies, listCompanies } from "~db/repositories/company-list.server";
import { listStaffCompanies } from "~db/repositories/members.server";
import { companyIdOf } from "../company-reference";
import { nameAmong } from "../own-companies.service.server";
import { type CompanyListParams } from "./company-list";

/** Returns the words of a search. A company must match all of them. */
const termsOf = (search: string) =>
  search
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({
      text: foldForSearch(word),
      number: companyIdOf(word.toUpperCase()) ?? readNumber(word, LARGEST_ID),
    }));

/** Returns one page of the companies of customers, for staff. Those that only staff use are left out. When the requested page is past the end, this is the last page. */
export async function listCompaniesForStaff(params: CompanyListParams & Glance) {
  const without = await listStaffCompanies(getDb());
  const search = await findCompanies(getDb(), termsOf(params.search), without, params.isGlance);
  const { sort, size } = params;
  const { offset, page, ...counted } = await findPageOf(params, (limit) => countCompanies(getDb(), search, limit));
  const companies = await listCompanies(getDb(), search, { sort, offset, limit: size });
  const members = await countMembersOf(
    getDb(),
    companies.map(({ id }) => id),
  );
  const rows = companies.map((company) => ({ ...company, members: members.get(company.id) ?? 0 }));
  return { rows, ...counted, params: { ...params, page } };
}

export type CompanyListItem = Awaited<ReturnType<typeof listCompaniesForStaff>>["rows"][number];

/** The company to which a list is narrowed. */
export interface ShownCompany {
  id: number;
  name: string;
}

/**
 * Returns the company to which staff have narrowed a list, or null when they have not, and for everybody else. Its name has the number when
 * another company has the same name.
 */
export async function findShownCompany(viewer: RightsHolder, id: number | null): Promise<ShownCompany | null> {
  if (id === null || !may(viewer, "see-companies")) return null;
  const company = await findCompany(getDb(), id);
  return { id, name: company ? nameAmong(company, await listCompaniesNamed(getDb(), company)) : `company ${id}` };
}
