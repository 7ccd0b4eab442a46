import { loadMissingStaff } from "~/domain/accounts/administration/staffing.server";
import { may, type RightsHolder, type Task } from "~/domain/accounts/rights.policy";
import { BEGINS_AFTER_MS } from "~/domain/alerts/times";
import { signerNotice } from "~/domain/authorities/signer-notice.server";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { JOBS } from "~/domain/jobs/catalogue.server";
import { missingListNotice } from "~/domain/keys/published-keys.service.server";
import { mailQueueList } from "~/domain/mail/mail-queue-list";
import { CODE_ORDERS, salesOrderList } from "~/domain/orders/list/sales-order-list";
import { changedPoliciesNotice } from "~/domain/repository/policies/versions.service.server";
import { addDays, formatDate, formatDateTime } from "~/lib/dates";
import { fourEyes } from "~/lib/four-eyes.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { getDb } from "~db/connection.server";
import { countOpenAlerts } from "~db/repositories/alerts.server";
import { countFindings } from "~db/repositories/certificate-audits.server";
import {
  countCertificatesByStatus,
  countCertificatesEnding,
  countOrdersPlaced,
  countOrdersWith,
  countPendingCertificates,
  listDaysToIssue,
  sumRevenue,
} from "~db/repositories/figures.server";
import { countFailedJobs } from "~db/repositories/jobs.server";
import { findMailFigures, type MailFigures } from "~db/repositories/mail-figures.server";
import { countQueued } from "~db/repositories/mail-queue.server";
import { countStaffWithoutFactor } from "~db/repositories/second-factors.server";
import { countWork } from "~db/repositories/work-counts.server";
import { type CertificateStatus } from "~db/tables";
import { PURCHASE_ORDER_TYPE } from "~db/tables/orders";
import { type Amount, type BarChart, barChart } from "./bar-chart.server";
import { type Month, monthsFrom } from "./months";
import { AGE_TITLES, loadWork } from "./waiting.service.server";

/** The statuses in the order in which a certificate passes through them. */
const STATUSES: readonly CertificateStatus[] = [
  "Pending",
  "Issued",
  "Downloaded",
  "RequestRevoke",
  "Revoked",
  "Renewed",
  "Expired",
  "Rejected",
  "Cancelled",
];
/** The statuses of certificates that partners use. */
const USABLE: readonly CertificateStatus[] = ["Issued", "Downloaded"];

/** Work that waits for staff. */
export interface Queue {
  title: string;
  text: string;
  count: number;
  countLabel: string;
  page: string;
  /** The task of the page that the tile opens. Only staff who may open it see the tile. */
  task: Task;
}

export interface Figure {
  title: string;
  /** The captions of the table: one for the bars, one for the numbers. */
  columns: readonly [string, string];
  chart: BarChart;
}

const figure = (title: string, columns: Figure["columns"], amounts: readonly Amount[]): Figure => ({
  title,
  columns,
  chart: barChart(amounts),
});

const toEuro = (cents: number) => Math.round(cents / 100);

/** Returns the amounts of months. `toList` returns the address of the list of one. */
const named = (
  months: readonly Month[],
  values: readonly (number | null)[],
  toList: ((month: Month) => string) | false = false,
): Amount[] =>
  months.map((month, index) => ({
    label: month.label,
    value: values[index] ?? null,
    ...(toList && { to: toList(month) }),
  }));

const counted = (count: number, one: string, many: string) => ({ count, countLabel: count === 1 ? one : many });

/** The time in milliseconds after which a queued message counts as delayed. Messages are usually sent within a minute. */
const USUAL_WAIT_MS = 15 * 60_000;

/**
 * Returns the tile of messages that fail or are delayed, because then perhaps no message goes out at all. Returns an empty array when there
 * are none.
 */
function mailQueues({ waiting, failing, oldest }: MailFigures, now: Date): Queue[] {
  if (oldest === null || (failing === 0 && now.getTime() - Date.parse(oldest) <= USUAL_WAIT_MS)) return [];
  const tries = failing === 0 ? "None was tried yet." : `${failing} could not be sent and will be tried again.`;
  return [
    {
      title: "Messages that wait",
      text: `${tries} The oldest waits since ${formatDateTime(oldest)} UTC.`,
      ...counted(waiting + failing, "message", "messages"),
      page: staffPaths.mail,
      task: "see-mail",
    },
  ];
}

/** Returns what waits for staff, in the order of the work: identities, invoices, payments, messages, alerts, findings, jobs. */
async function loadQueues(now: Date): Promise<Queue[]> {
  const db = getDb();
  const [mail, pending, standing, open, invoiced, overpaid, rejected, alerts, findings, failed] = await Promise.all([
    findMailFigures(db),
    countPendingCertificates(db),
    countWork(db, "standing"),
    countOrdersWith(db, "Open"),
    countOrdersWith(db, "Invoiced"),
    countWork(db, "overpaid"),
    countQueued(db, { state: "Rejected", recipient: "" }),
    countOpenAlerts(db),
    countFindings(db, true),
    countFailedJobs(
      db,
      JOBS.map(({ name }) => name),
    ),
  ]);
  return [
    {
      title: "Certificate queue",
      text: "Orders that wait for the identity checks or for approval.",
      ...counted(pending, "pending order", "pending orders"),
      page: paths.certificateQueue,
      task: "see-queue",
    },
    {
      title: "Standing authorisations",
      text: "Asked for by companies. The contact is to be asked, then an approver decides.",
      ...counted(standing, "request", "requests"),
      page: staffPaths.standing,
      task: "see-queue",
    },
    {
      title: "Open sales orders",
      text: "Neither invoiced nor paid.",
      ...counted(open, "open order", "open orders"),
      page: salesOrderList.href({ status: "Open" }),
      task: "see-sales-orders",
    },
    {
      title: "Payments to record",
      text: "Invoiced and not paid.",
      ...counted(invoiced, "invoiced order", "invoiced orders"),
      page: salesOrderList.href({ status: "Invoiced" }),
      task: "see-sales-orders",
    },
    {
      title: "Repayments due",
      text: "More was paid than the order costs, for example after a correction.",
      ...counted(overpaid, "order", "orders"),
      page: salesOrderList.href({ overpaid: "yes" }),
      task: "see-sales-orders",
    },
    ...mailQueues(mail, now),
    {
      title: "Rejected messages",
      text: "Refused for good by a mail server.",
      ...counted(rejected, "message", "messages"),
      page: mailQueueList.href({ state: "Rejected" }),
      task: "see-mail",
    },
    {
      title: "Alerts",
      text: `Faults of the portal itself that have lasted ${BEGINS_AFTER_MS / 60_000} minutes, until an hour after they end.`,
      ...counted(alerts, "alert", "alerts"),
      page: staffPaths.jobs,
      task: "see-jobs",
    },
    {
      title: "Certificate audit",
      text: "What the nightly audit found wrong with certificates, CRLs and responders.",
      ...counted(findings, "finding", "findings"),
      page: staffPaths.certificateAudit,
      task: "see-audit-findings",
    },
    {
      title: "Failing jobs",
      text: "Work of the portal itself that failed at its last run.",
      ...counted(failed, "job", "jobs"),
      page: staffPaths.jobs,
      task: "see-jobs",
    },
  ];
}

/** Of how many certificates of each month the median time from the order is taken. */
const MEDIAN_OF = 500;

/** Returns the median, rounded to a tenth, or null for no values. */
function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
  return Math.round((low + high) * 5) / 10;
}

/** Returns the last day of a month as people type it. */
const lastDayOf = ({ to }: Month) => formatDate(addDays(to, -1).toISOString());

const certificatesIn = (status: string) => certificateList.href({ search: status });

/** The month as lists take it: `2026-12`. */
const monthOf = ({ from }: Month) => from.toISOString().slice(0, 7);

const ordersOf = (orderType: string) => (month: Month) =>
  salesOrderList.href({ from: formatDate(month.from.toISOString()), to: lastDayOf(month), orderType });

const ordersInvoicedIn = ({ from }: Month) => salesOrderList.href({ invoiced: from.toISOString().slice(0, 7) });

/**
 * Returns the charts: orders, time to the certificate and, for those who see sales orders, revenue by month; all certificates by status, and
 * the certificates that end in this month and the next eleven. Bars lead to their lists where the user may open these.
 */
async function loadFigures(user: RightsHolder, now: Date): Promise<Figure[]> {
  const db = getDb();
  const [past, coming] = [monthsFrom(now, -11, 12), monthsFrom(now, 0, 12)];
  const [seesSales, seesCertificates] = [may(user, "see-sales-orders"), may(user, "see-customers")];
  const [codes, certificates, byStatus, ending, revenue, days] = await Promise.all([
    countOrdersPlaced(db, PURCHASE_ORDER_TYPE.code, past),
    countOrdersPlaced(db, PURCHASE_ORDER_TYPE.certificate, past),
    countCertificatesByStatus(db),
    countCertificatesEnding(db, { statuses: USABLE }, coming),
    seesSales ? sumRevenue(db, past) : null,
    Promise.all(past.map((month) => listDaysToIssue(db, month, MEDIAN_OF))),
  ]);
  const countOf = new Map(byStatus.map(({ status, count }) => [status, count]));
  const statuses = STATUSES.map((status) => ({
    label: status === "RequestRevoke" ? "To be revoked" : status,
    value: countOf.get(status) ?? 0,
    ...(seesCertificates && { to: certificatesIn(status) }),
  }));
  const byExpiry = { key: "certificateExpiryDate", direction: "asc" } as const;
  const byStart = { key: "certificateStartDate", direction: "desc" } as const;
  return [
    figure(
      "Certificate orders by month",
      ["Month", "Orders"],
      named(past, certificates, seesSales && ordersOf("Certificate")),
    ),
    figure("ID code orders by month", ["Month", "Orders"], named(past, codes, seesSales && ordersOf(CODE_ORDERS))),
    figure(
      "Days from order to certificate, median",
      ["Month", "Days"],
      named(
        past,
        days.map(medianOf),
        seesCertificates && ((month) => certificateList.href({ began: monthOf(month), sort: byStart })),
      ),
    ),
    ...(revenue
      ? [
          figure(
            "Revenue by month without VAT, in euro",
            ["Month", "Euro"],
            named(past, revenue.map(toEuro), ordersInvoicedIn),
          ),
        ]
      : []),
    figure("Certificates by status", ["Status", "Certificates"], statuses),
    figure(
      "Certificates that end, this month and the next 11",
      ["Month", "Certificates"],
      named(
        coming,
        ending,
        seesCertificates && ((month) => certificateList.href({ ends: monthOf(month), sort: byExpiry })),
      ),
    ),
  ];
}

/** What the weaker mode of the four-eyes principle allows, and how to change it. */
const SMALL_OFFICE =
  "This portal works as a small office: whoever records the checks of an order may also approve it, and one administrator alone reissues certificates and grants any right. For real use, set accounts.fourEyes to strict in the configuration file and start the portal again.";

/** Returns how many members of staff lack a second factor, as a sentence for those who see accounts, or null. */
async function loadMissingFactors(user: RightsHolder): Promise<string | null> {
  const count = may(user, "see-users") ? await countStaffWithoutFactor(getDb()) : 0;
  if (count === 0) return null;
  return count === 1
    ? "One member of staff has no second factor yet."
    : `${count} members of staff have no second factor yet.`;
}

/** Returns the overview of this user: the queues that the user's rights open, and the figures, which all staff see. */
export const loadOverview = async (user: RightsHolder, now = new Date()) => {
  const [queues, work, figures, notice, policies, factors, missingStaff, signer] = await Promise.all([
    loadQueues(now),
    loadWork(user, now),
    loadFigures(user, now),
    missingListNotice(),
    changedPoliciesNotice(),
    loadMissingFactors(user),
    loadMissingStaff(),
    signerNotice(),
  ]);
  const open = queues.filter(({ task }) => may(user, task)).map(({ task: _, ...queue }) => queue);
  const office = fourEyes() === "small-office" ? SMALL_OFFICE : null;
  return {
    queues: open,
    work,
    ages: AGE_TITLES,
    figures,
    notice,
    policies,
    factors,
    missingStaff,
    office,
    signer,
    maySeeSigner: may(user, "see-signer"),
    mayRunJobs: may(user, "run-jobs"),
  };
};
