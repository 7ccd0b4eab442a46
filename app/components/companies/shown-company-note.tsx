import { Link } from "@remix-run/react";
import { type ShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { CompanyLink } from "./names";

/** The parameters of a list that shows all companies again. */
export const ALL_COMPANIES = { companyId: null, page: 1 } as const;

/** For staff: says that a list shows only one company, with the link to all of them. */
export const ShownCompanyNote = ({ company, all }: { company: ShownCompany; all: string }) => (
  <p>
    Only those of <CompanyLink {...company} />. <Link to={all}>Show all companies</Link>
  </p>
);
