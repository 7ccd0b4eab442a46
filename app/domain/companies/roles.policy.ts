import { PortalError } from "~/lib/errors";
import { type CompanyRole } from "~db/tables";

/** The roles of members with their names. */
export const ROLE_NAMES = {
  owner: "Owner",
  purchaser: "Purchaser",
  technical: "Technical",
  reader: "Reader",
} as const satisfies Record<CompanyRole, string>;

/** The roles, highest first, as pages show them. Each one may all that the later ones may. */
export const ROLES: readonly CompanyRole[] = ["owner", "purchaser", "technical", "reader"];

interface CompanyTaskRule {
  /** The least role that may do it. */
  from: CompanyRole;
  /** Whether the account needs the right Applicant, too. */
  asApplicant?: true;
}

/**
 * The tasks of a company's members and the least role that may do each. Every page, action and JSON call with which a member changes
 * something, or gets a file of a certificate, names one of them. `role-texts.ts` says in words what they are.
 */
export const COMPANY_TASKS = {
  "see-company": { from: "reader" },
  "download-certificates": { from: "technical" },
  "note-certificates": { from: "technical" },
  "tell-partners": { from: "technical" },
  "prepare-renewals": { from: "technical", asApplicant: true },
  "place-orders": { from: "purchaser", asApplicant: true },
  "cancel-orders": { from: "purchaser" },
  "revoke-own-certificates": { from: "purchaser" },
  "register-codes": { from: "purchaser", asApplicant: true },
  "publish-certificates": { from: "purchaser" },
  "change-own-codes": { from: "purchaser" },
  "manage-company": { from: "owner" },
} as const satisfies Record<string, CompanyTaskRule>;

export type CompanyTask = keyof typeof COMPANY_TASKS;

export const isCompanyTask = (name: string): name is CompanyTask => Object.hasOwn(COMPANY_TASKS, name);

/** A person in the company in which they work now. */
export interface Member {
  companyId: number;
  role: CompanyRole;
  isApplicant: boolean;
}

/** Returns the roles that may do a task, highest first. */
export const rolesFor = (task: CompanyTask): CompanyRole[] =>
  ROLES.slice(0, ROLES.indexOf(COMPANY_TASKS[task].from) + 1);

/** Returns the names of the roles that may do a task, as words: `Owner or Purchaser`. */
export function roleNamesFor(task: CompanyTask): string {
  const names = rolesFor(task).map((role) => ROLE_NAMES[role]);
  const last = names.pop() ?? "";
  return names.length > 0 ? `${names.join(", ")} or ${last}` : last;
}

/** A member with what decides who may leave a company. */
type Owning = { id: number; role: CompanyRole; isDisabled: boolean | number };

/** Returns whether no other owner of the company can log in, so that this one must stay. */
export const isLastOwner = ({ id, role }: Pick<Owning, "id" | "role">, members: readonly Owning[]): boolean =>
  role === "owner" && !members.some((other) => other.id !== id && other.role === "owner" && !other.isDisabled);

/** Returns whether a task lacks the right Applicant, which the role cannot replace. */
export const lacksApplicant = ({ isApplicant }: Pick<Member, "isApplicant">, task: CompanyTask): boolean =>
  "asApplicant" in COMPANY_TASKS[task] && !isApplicant;

/** Returns the sentence for a member whose role does not allow a task. */
export const roleNeeded = (task: CompanyTask): string =>
  `You need the role ${roleNamesFor(task)} in your company for this.`;

/** A person with their role in a company, which is null for somebody who is no member. */
type RoleHolder = Pick<Member, "isApplicant"> & { role: CompanyRole | null };

/** Returns whether a person may do a task in the company in which they have this role. */
export const mayAsMember = (member: RoleHolder, task: CompanyTask): boolean =>
  member.role !== null && rolesFor(task).includes(member.role) && !lacksApplicant(member, task);

/**
 * Returns whether a person may do a task with something that a company owns. This is the one rule of access for customers: they are members
 * of that company, with a role that may.
 */
export const mayFor = (member: Member, { companyId }: { companyId: number }, task: CompanyTask): boolean =>
  companyId === member.companyId && mayAsMember(member, task);

/** Returns the error (403) with this message for a member whose role does not allow a task. */
export const roleRefused = (message: string, detail?: string) =>
  new PortalError(message, { code: "company.role", status: 403, detail });

/** Throws a PortalError (403) when the role of the member does not allow a task, or the account lacks the right Applicant. */
export function requireRole(member: RoleHolder, task: CompanyTask): void {
  if (mayAsMember(member, task)) return;
  const message = lacksApplicant(member, task) ? "You need the right Applicant for this." : roleNeeded(task);
  throw roleRefused(message);
}
