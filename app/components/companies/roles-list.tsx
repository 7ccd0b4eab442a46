import { COMPANY_TASKS, ROLE_NAMES, ROLES } from "~/domain/companies/roles.policy";
import { DescriptionList } from "../ui/description-list";

/** What each role may do that the roles below it may not. */
export const RolesList = () => (
  <DescriptionList
    items={ROLES.map((role) => ({
      term: ROLE_NAMES[role],
      detail: Object.values(COMPANY_TASKS)
        .filter(({ from }) => from === role)
        .map(({ text }) => `${text}.`)
        .join(" "),
    }))}
  />
);
