import {
  COMPANY_TASKS,
  type CompanyTask,
  isCompanyTask,
  mayAsMember,
  type Member,
  roleNamesFor,
} from "~/domain/companies/roles.policy";
import { type StaffRight } from "~db/tables";

/** The rights of staff with their names, in the order in which pages show them. */
export const STAFF_RIGHT_NAMES = {
  "registration-officer": "Registration officer",
  approver: "Approver",
  finance: "Finance",
  "user-administrator": "User administrator",
  auditor: "Auditor",
  operator: "Operator",
} as const satisfies Record<StaffRight, string>;

export const STAFF_RIGHTS = Object.keys(STAFF_RIGHT_NAMES) as StaffRight[];

/** The names of all rights of accounts. Admin contains all rights of staff. */
export const RIGHT_NAMES = { applicant: "Applicant", admin: "Admin", ...STAFF_RIGHT_NAMES } as const;

export type Right = keyof typeof RIGHT_NAMES;

export const RIGHTS = Object.keys(RIGHT_NAMES) as [Right, ...Right[]];

/** Returns the rights of an account as they were granted. */
export const rightsOf = (
  { isApplicant, isAdmin }: { isApplicant: boolean; isAdmin: boolean },
  granted: readonly StaffRight[],
): Right[] =>
  RIGHTS.filter((right) =>
    right === "applicant" ? isApplicant : right === "admin" ? isAdmin : granted.includes(right),
  );

/** Returns the names of rights, in order. */
export const namesOfRights = (rights: readonly Right[]): string[] => rights.map((right) => RIGHT_NAMES[right]);

interface TaskRule {
  /** What the task is, for docs/security/rights.md. */
  text: string;
  rights: readonly StaffRight[];
}

/**
 * The tasks of staff and the rights that allow each. Every page, action and JSON call of staff names one of them. An auditor sees
 * everything and changes nothing.
 */
export const TASKS = {
  "see-overview": { text: "Open the overview and the dashboard of staff", rights: STAFF_RIGHTS },
  "see-customers": {
    text: "See the certificates, ID codes, orders and invoices of all customers",
    rights: ["registration-officer", "approver", "finance", "auditor"],
  },
  "see-companies": {
    text: "See the companies, and of each one what the other tasks of seeing allow",
    rights: ["registration-officer", "approver", "finance", "user-administrator", "auditor"],
  },
  "write-company-notes": {
    text: "Write notes about a company",
    rights: ["registration-officer", "approver", "finance"],
  },
  "end-domains": {
    text: "End the confirmation of a company's domain or mailbox",
    rights: ["registration-officer", "approver"],
  },
  "see-queue": {
    text: "Open the certificate queue and its orders, with their history",
    rights: ["registration-officer", "approver", "finance", "auditor"],
  },
  "check-orders": { text: "Record the checks of an order", rights: ["registration-officer"] },
  "add-evidence": { text: "Add evidence to a check of an order", rights: ["registration-officer"] },
  "work-on-orders": {
    text: "Take, release and comment on orders, and remind their contacts",
    rights: ["registration-officer", "approver", "finance"],
  },
  "approve-orders": { text: "Approve an order, and undo an approval that is not finished", rights: ["approver"] },
  "end-orders": { text: "Reject or cancel an order", rights: ["registration-officer", "approver"] },
  "reissue-certificates": { text: "Reissue a certificate", rights: ["registration-officer"] },
  "revoke-certificates": {
    text: "Revoke a certificate of a customer",
    rights: ["registration-officer", "approver"],
  },
  "change-codes": { text: "Change the ID codes of customers", rights: ["registration-officer"] },
  "allow-messages": {
    text: "Allow messages again to a contact who stopped them",
    rights: ["registration-officer", "finance"],
  },
  "see-sales-orders": {
    text: "See the list of sales orders, their pages, invoices and exports",
    rights: ["finance", "auditor"],
  },
  "change-sales-orders": {
    text: "Change status, invoice and payment of a sales order, issue invoices and credit notes",
    rights: ["finance"],
  },
  "see-promotion-codes": { text: "See promotion codes", rights: ["finance", "auditor"] },
  "change-promotion-codes": { text: "Create and withdraw promotion codes", rights: ["finance"] },
  "see-users": {
    text: "See all accounts, their details and their audit trails, and export an audit trail",
    rights: ["user-administrator", "auditor"],
  },
  "change-users": {
    text: "Make, import and change accounts, disable, lock and unlock them, grant and withdraw rights, act as a customer, export and erase the data of a person",
    rights: ["user-administrator"],
  },
  "see-security-events": { text: "See the security events and export them", rights: ["auditor"] },
  "see-audit-trail": { text: "See the audit trail and export it", rights: ["auditor"] },
  "see-evidence": {
    text: "Make evidence packs: orders, certificates and audit entries with their proofs",
    rights: ["auditor"],
  },
  "see-jobs": { text: "See the jobs and the alerts", rights: ["operator", "auditor"] },
  "see-audit-findings": {
    text: "See the findings of the nightly audit of certificates",
    rights: ["registration-officer", "approver", "operator", "auditor"],
  },
  "see-signer": {
    text: "See the signer, and who confirms certificates to it",
    rights: ["approver", "operator", "auditor"],
  },
  "run-jobs": { text: "Run a job", rights: ["operator"] },
  "see-mail": { text: "See the messages and their texts", rights: ["operator", "auditor"] },
  "change-mail": { text: "Send messages again, and dismiss them", rights: ["operator"] },
  "see-settings": { text: "See the settings of the portal", rights: ["operator", "auditor"] },
  "change-settings": { text: "Change the banner of the login screen", rights: ["operator"] },
} as const satisfies Record<string, TaskRule>;

export type Task = keyof typeof TASKS;

/** A user with the rights of staff that count: those granted one by one, or all of them for the right Admin. */
export interface RightsHolder {
  rights: readonly StaffRight[];
  /** For an API client of staff, the only tasks that it may do, whatever else its rights allow. */
  tasks?: readonly Task[];
}

/** Returns whether one of the user's rights allows this task. */
export const may = ({ rights, tasks }: RightsHolder, task: Task): boolean => {
  const allowed: readonly StaffRight[] = TASKS[task].rights;
  return allowed.some((right) => rights.includes(right)) && (tasks?.includes(task) ?? true);
};

/** Returns a right for each of these tasks that allows it. */
export const rightsAllowing = (tasks: readonly Task[]): StaffRight[] => [
  ...new Set(tasks.map((task): StaffRight => TASKS[task].rights[0])),
];

/** Returns whether this user may see what belongs to a company: members see what their company owns, staff who see customers see all. */
export const maySee = (viewer: RightsHolder & { companyId: number }, { companyId }: { companyId: number }): boolean =>
  companyId === viewer.companyId || may(viewer, "see-customers");

/**
 * Returns the company whose things a list shows: for staff whose rights allow the task the one they chose (undefined for all companies), and
 * for everybody else the one in which they work.
 */
export const listedCompany = (
  viewer: RightsHolder & { companyId: number },
  task: Task,
  chosen: number | null = null,
): number | undefined => (may(viewer, task) ? (chosen ?? undefined) : viewer.companyId);

/** Returns whether the user has any right of staff. */
export const isStaff = ({ rights }: RightsHolder): boolean => rights.length > 0;

/** What a page or a JSON call needs: a role that allows a task of the company, or a right that allows a task of staff. */
export type Requirement = CompanyTask | Task;

export const fulfils = (user: RightsHolder & Member, needed: Requirement): boolean =>
  isCompanyTask(needed) ? mayAsMember(user, needed) : may(user, needed);

/** Returns the names of the rights that allow a task of staff, as words: `Approver or Admin`. Admin contains all rights of staff. */
export function rightsFor(task: Task): string {
  const names = TASKS[task].rights.map((right) => STAFF_RIGHT_NAMES[right]);
  return `${names.join(", ")} or Admin`;
}

/** Returns what a requirement asks for, as words: `the right Approver or Admin`, `the right Applicant and the role Owner or Purchaser`. */
export function requirementText(needed: Requirement): string {
  if (!isCompanyTask(needed)) return `the right ${rightsFor(needed)}`;
  const role = `the role ${roleNamesFor(needed)}`;
  return "asApplicant" in COMPANY_TASKS[needed] ? `the right Applicant and ${role}` : role;
}

/** Returns what a security event says when an account does not fulfil a requirement. */
export const lackedText = (needed: Requirement): string => `The account lacks ${requirementText(needed)}.`;

/** Returns the sentence for staff whose rights do not allow a task. */
export const rightNeeded = (task: Task): string => `You need the right ${rightsFor(task)} for this.`;
