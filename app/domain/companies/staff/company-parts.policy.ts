import { type Task } from "~/domain/accounts/rights.policy";

/** The parts of a company's page for staff, each with the task that shows it. Its details are for all who see companies. */
export const COMPANY_PARTS = {
  members: "see-users",
  invitations: "see-users",
  clients: "see-users",
  domains: "see-customers",
  certificates: "see-customers",
  codes: "see-customers",
  orders: "see-sales-orders",
  invoices: "see-sales-orders",
  checks: "see-customers",
  notes: "see-customers",
  history: "see-audit-trail",
} as const satisfies Record<string, Task>;

export type CompanyPagePart = keyof typeof COMPANY_PARTS;

/** The maximum length of a note about a company, in characters. */
export const COMPANY_NOTE_LIMIT = 2000;
