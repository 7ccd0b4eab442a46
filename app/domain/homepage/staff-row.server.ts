import { may, type Task } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { getDb } from "~db/connection.server";
import { countText, countWork, type WorkKind } from "~db/repositories/work-counts.server";

/** A page in the row of staff. */
export interface StaffPlace {
  to: string;
  label: string;
  /** Further path prefixes under which the page is the current one. */
  area?: string[];
  /** How much waits there, and what it is: `12` and `pending`. Missing when nothing waits. */
  waits?: { count: string; what: string };
}

/** The row of staff: the pages that are always in view, and those of the menu. */
export interface StaffRow {
  places: StaffPlace[];
  more: StaffPlace[];
}

interface Entry extends Omit<StaffPlace, "waits"> {
  task: Task;
  counts?: { kind: WorkKind; what: string };
}

const PLACES: readonly Entry[] = [
  { to: staffPaths.overview, label: "Overview", task: "see-overview" },
  { to: paths.certificateQueue, label: "Queue", task: "see-queue", counts: { kind: "pending", what: "pending" } },
  { to: paths.salesOrders, label: "Orders", task: "see-sales-orders", counts: { kind: "sales", what: "open" } },
  {
    to: paths.certificates,
    label: "Certificates",
    task: "see-customers",
    area: ["/home/certificate-details/", "/home/certificate-download/"],
  },
  { to: paths.codes, label: "Codes", task: "see-customers" },
  { to: paths.users, label: "Users", task: "see-users" },
];

const MORE: readonly Entry[] = [
  { to: paths.companies, label: "Companies", task: "see-companies" },
  {
    to: staffPaths.standing,
    label: "Standing authorisations",
    task: "see-queue",
    counts: { kind: "standing", what: "waiting" },
  },
  { to: staffPaths.promotionCodes, label: "Promotion codes", task: "see-promotion-codes" },
  {
    to: staffPaths.certificateAudit,
    label: "Certificate audit",
    task: "see-audit-findings",
    counts: { kind: "findings", what: "open" },
  },
  { to: staffPaths.auditTrail, label: "Audit trail", task: "see-audit-trail" },
  { to: staffPaths.securityEvents, label: "Security events", task: "see-security-events" },
  { to: staffPaths.jobs, label: "Jobs", task: "see-jobs" },
  { to: staffPaths.mail, label: "Email", task: "see-mail" },
  { to: staffPaths.signer, label: "Signer", task: "see-signer" },
  { to: staffPaths.manage, label: "Manage Secure", task: "see-settings" },
];

async function toPlace({ task: _, counts, ...place }: Entry): Promise<StaffPlace> {
  const count = counts ? await countWork(getDb(), counts.kind) : 0;
  return counts && count > 0 ? { ...place, waits: { count: countText(count), what: counts.what } } : place;
}

/** Returns whether this portal has the page: that of the signer is there only where the portal uses one. */
const isServed = (to: string): boolean => to !== staffPaths.signer || getEnv().signerWay !== undefined;

/** Returns the row of pages that this member of staff may open, with how much waits. Returns null for a customer. */
export async function loadStaffRow(user: SessionUser): Promise<StaffRow | null> {
  if (!may(user, "see-overview")) return null;
  const placesOf = (entries: readonly Entry[]) =>
    Promise.all(entries.filter(({ to, task }) => may(user, task) && isServed(to)).map((entry) => toPlace(entry)));
  const [places, more] = await Promise.all([placesOf(PLACES), placesOf(MORE)]);
  return { places, more };
}
