import { type SessionUser } from "~/domain/accounts/session-user";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { parseContact } from "~/domain/certificates/purchase/contact.schema";
import { orderNumber } from "~/domain/orders/order-number";
import { ownOrderList } from "~/domain/orders/own/own-order-list";
import { listUnfinished } from "~/domain/orders/own/own-orders.service.server";
import { addDays, formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { countCompanyOrders } from "~db/repositories/own-orders.server";
import {
  type CertificateStep,
  countOwnCertificates,
  listLatestSteps,
  sumUnpaid,
} from "~db/repositories/own-work.server";
import { loadEndingStrip } from "./ending-strip.server";
import { loadFirstCertificate, mayOrderFirst } from "./first-certificate.server";
import { listTasks, SOON_DAYS } from "./own-tasks.server";

/** One of the counts on top of the dashboard. It leads to the list of what it counts. */
interface OwnCount {
  label: string;
  count: number;
  to: string;
  /** What the count is about, or "". */
  hint: string;
  /** Whether somebody has to act. */
  isUrgent: boolean;
}

async function loadCounts(companyId: number, now: Date): Promise<OwnCount[]> {
  const [own, unpaid] = await Promise.all([
    countOwnCertificates(getDb(), companyId, { now, soon: addDays(now, SOON_DAYS) }),
    sumUnpaid(getDb(), companyId),
  ]);
  const waits = own.waiting === 1 ? "1 waits for its contact" : `${own.waiting} wait for their contacts`;
  return [
    {
      label: "Active",
      count: own.active,
      to: certificateList.href({ state: "active" }),
      hint: "certificates",
      isUrgent: false,
    },
    {
      label: "Expiring",
      count: own.soon,
      to: certificateList.href({ expires: SOON_DAYS }),
      hint: own.firstEnd ? `the first on ${formatDate(own.firstEnd)}` : `within ${SOON_DAYS} days`,
      isUrgent: own.soon > 0,
    },
    {
      label: "Pending",
      count: own.pending,
      to: certificateList.href({ state: "pending" }),
      hint: own.waiting > 0 ? waits : "orders",
      isUrgent: false,
    },
    {
      label: "Unpaid",
      count: unpaid.count,
      to: ownOrderList.href({ unpaid: true }),
      hint: unpaid.count > 0 ? formatEuro(unpaid.cents) : "invoices",
      isUrgent: false,
    },
  ];
}

/** How many events the dashboard shows. */
const EVENTS_SHOWN = 5;

type Step = Awaited<ReturnType<typeof listLatestSteps>>[number];

/** What has happened, before and after the name of the certificate. */
const EVENT_WORDS: Record<CertificateStep, (step: Step) => readonly [string, string]> = {
  requestedAt: () => ["", "was ordered"],
  contactAnsweredAt: ({ authenticationContact, contactAnswer }) => [
    `${parseContact(authenticationContact).name} ${contactAnswer ?? "answered"}`,
    "",
  ],
  decidedAt: ({ status }) => ["", status === "Rejected" ? "was rejected" : "was cancelled"],
  issuedAt: () => ["", "was issued"],
  revocationDate: () => ["", "was revoked"],
};

const ORDER_OF_STEPS = Object.keys(EVENT_WORDS);

/** Sorts the latest step first. Of steps of the same moment the one that comes after the other in the life of a certificate is first. */
const latestFirst = (one: Step, other: Step): number =>
  other.at.localeCompare(one.at) || ORDER_OF_STEPS.indexOf(other.step) - ORDER_OF_STEPS.indexOf(one.step);

/** Returns the latest events of the company's certificates, the latest first. */
async function loadEvents(companyId: number, now: Date) {
  const steps = await listLatestSteps(getDb(), companyId, now, EVENTS_SHOWN);
  return steps
    .toSorted(latestFirst)
    .slice(0, EVENTS_SHOWN)
    .map((step) => {
      const [before, after] = EVENT_WORDS[step.step](step);
      const { at, commonName, orderId } = step;
      return { at, before, commonName, after, order: orderNumber(orderId), to: paths.order(orderId) };
    });
}

/**
 * Returns what a member of a company sees on the dashboard: how much there is, what to do next, which certificates end when, and what has
 * happened. Until the first order `first` has the steps to the first certificate, and the rest is null. Returns null for staff whose company
 * has ordered nothing.
 */
export async function loadOwnWork(user: SessionUser, now = new Date()) {
  const { companyId } = user;
  if ((await countCompanyOrders(getDb(), { companyId })) === 0) {
    if (!mayOrderFirst(user)) return null;
    return { first: await loadFirstCertificate(user, now), own: null };
  }
  const unfinished = await listUnfinished(user, now);
  const [counts, tasks, strip, events] = await Promise.all([
    loadCounts(companyId, now),
    listTasks(user, unfinished, now),
    loadEndingStrip(companyId, now),
    loadEvents(companyId, now),
  ]);
  return { first: null, own: { counts, tasks, strip, events } };
}

export type OwnWork = NonNullable<NonNullable<Awaited<ReturnType<typeof loadOwnWork>>>["own"]>;
