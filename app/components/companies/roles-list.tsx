import { TASK_TEXTS } from "~/domain/companies/role-texts";
import { COMPANY_TASKS, type CompanyTask, ROLE_NAMES, ROLES } from "~/domain/companies/roles.policy";
import { DescriptionList } from "../ui/description-list";

/** What each role may do that the roles below it may not. */
export const RolesList = () => (
  <DescriptionList
    items={ROLES.map((role) => ({
      term: ROLE_NAMES[role],
      detail: Object.entries(TASK_TEXTS)
        .filter(([task]) => COMPANY_TASKS[task as CompanyTask].from === role)
        .map(([, text]) => `${text}.`)
        .join(" "),
    }))}
  />
);
