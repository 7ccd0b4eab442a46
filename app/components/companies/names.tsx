import { Link } from "@remix-run/react";
import { type ShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { paths } from "~/lib/paths";

interface PersonProps {
  name: string;
  /** For staff: the administrator who acted as this person, or null. */
  by: string | null;
}

/** Who has done something. */
export const PersonName = ({ name, by }: PersonProps) => (
  <>
    <bdi>{name}</bdi>
    {by !== null && ` (${by} acted for them)`}
  </>
);

/** For staff: the name of a company with the link to its page. */
export const CompanyLink = ({ id, name }: ShownCompany) => (
  <Link to={paths.companyPage(id)}>
    <bdi>{name}</bdi>
  </Link>
);
