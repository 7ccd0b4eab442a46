import { type SessionUser } from "~/domain/accounts/session-user";
import { orderNumber } from "~/domain/orders/order-number";
import { daysSince } from "~/lib/dates";
import { notFound } from "~/lib/errors";
import { pagesOf } from "~/lib/list-params";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { type Position } from "~db/keyset.server";
import {
  type CertificateListRow,
  countStages,
  findNextAmong,
  findPlaceAmong,
  listCertificatePart,
  listCertificates,
  listStages,
} from "~db/repositories/certificate-list.server";
import { findCertificate } from "~db/repositories/certificates.server";
import { listContactStops } from "~db/repositories/held-mails.server";
import { countContactMails } from "~db/repositories/mails.server";
import { countOrderComments } from "~db/repositories/order-comments.server";
import { searchTerms } from "../catalogue/list-search.server";
import { orderTypeText } from "../certificates.policy";
import { listHeldByNames, listUnconfirmedNames, waitsForNames } from "../request/confirmed-names.server";
import { REQUEST_MAIL } from "./authorisation-request.server";
import { checksOf, type OrderChecks, waitingFor } from "./checks.policy";
import { ISSUING } from "./order-decision.policy";
import { BULK_LIMIT } from "./queue-fields";
import { queueList, type QueueListParams } from "./queue-list";

const OLDEST_FIRST = { key: "certificateRequestDate", direction: "asc" } as const;

const SORT_KEYS = {
  requestedAt: "certificateRequestDate",
  orderNumber: "orderId",
  commonName: "commonName",
  company: "company",
} as const;

const sortOf = ({ sort }: QueueListParams) => ({ ...sort, key: SORT_KEYS[sort.key] });

/** Whose orders a view can show. */
type Viewer = Pick<SessionUser, "id">;

/** Returns which pending orders a view of the queue shows. */
const filterOf = async ({ stage, search, work }: Pick<QueueListParams, "stage" | "search" | "work">, user: Viewer) => ({
  statuses: ["Pending" as const],
  stage,
  heldByNames: await listHeldByNames(),
  assignedTo: work === null ? undefined : work === "mine" ? user.id : null,
  terms: searchTerms(search),
});

/** Returns what a pending order waits for, in words. */
export const queueWaits = (row: OrderChecks & { serialNumber: string | null }): string[] =>
  row.serialNumber === null ? waitingFor(row) : [ISSUING];

/** Returns the address of an order's page that keeps the view of the queue. */
export const orderInView = (id: number, view: QueueListParams): string =>
  queueList.addTo(paths.certificateQueueOrder(id), { ...view, isAllSelected: false, problem: null });

/** Returns pending orders with what each waits for, as the list page and the calls show them. */
async function toItems(rows: readonly CertificateListRow[], now: Date) {
  const ids = rows.map(({ id }) => id);
  const stopped = await listContactStops(
    getDb(),
    rows.map(({ authenticationEmail }) => authenticationEmail),
  );
  const comments = await countOrderComments(getDb(), ids);
  const asked = await countContactMails(
    getDb(),
    REQUEST_MAIL,
    rows.map(({ orderId }) => orderId),
  );
  const unconfirmed = await listUnconfirmedNames(rows);
  return rows.map((row) => ({
    id: row.id,
    orderNumber: orderNumber(row.orderId),
    commonName: row.commonName,
    organisation: row.organisation,
    company: row.company,
    orderType: orderTypeText(row.orderType, row.previousCertificateId),
    requestedAt: row.requestedAt,
    /** In whole days. */
    age: daysSince(row.requestedAt, now),
    waitsFor: [
      ...queueWaits({ ...row, isContactStopped: stopped.has(row.authenticationEmail.toLowerCase()) }),
      ...waitsForNames(unconfirmed.has(row.id)),
    ],
    /** How often the contact was asked and when last, while the answer is missing. */
    asked: (row.contactAnswer === null && asked.get(row.orderId)) || null,
    /** Who works on it, or null. */
    assignee: row.assigneeLastName === null ? null : `${row.assigneeFirstName} ${row.assigneeLastName}`,
    /** How many comments staff have written. */
    comments: comments.get(row.id) ?? 0,
    /** What staff should look into. */
    isUnconfirmed: unconfirmed.has(row.id),
  }));
}

/**
 * Returns one page of the pending orders, with what each order waits for. The returned parameters are those that the links of
 * the page keep: the filter, but not the selection.
 */
export async function listQueue(params: QueueListParams, user: Viewer, now = new Date()) {
  const filter = await filterOf(params, user);
  const stages = await countStages(getDb(), { ...filter, stage: null });
  const all = Object.values(stages).reduce((sum, count) => sum + count, 0);
  const total = params.stage ? (stages[params.stage] ?? 0) : all;
  const pages = pagesOf(total, params.size);
  const page = Math.min(params.page, pages);
  const rows = await listCertificates(getDb(), filter, {
    sort: sortOf(params),
    offset: (page - 1) * params.size,
    limit: params.size,
  });
  return {
    rows: (await toItems(rows, now)).map((item) => ({
      ...item,
      /** The address of its page, which keeps this view. */
      to: orderInView(item.id, { ...params, page }),
    })),
    total,
    counts: { ...stages, all },
    pages,
    params: { ...params, page, isAllSelected: false, problem: null },
  };
}

/** Which pending orders a call answers, and which part of them. */
interface QueuePart extends Pick<QueueListParams, "stage" | "search" | "work"> {
  /** Only the order with this id. */
  orderId: number | null;
  updatedSince: string | null;
  behind: Position | null;
  size: number;
}

/**
 * Returns a part of the pending orders for the calls, each with its stage and its checks: the oldest order first or, with `updatedSince`, the
 * oldest change first.
 */
export async function listQueuePart(
  { orderId, updatedSince, behind, size, ...view }: QueuePart,
  user: Viewer,
  now = new Date(),
) {
  const filter = { ...(await filterOf(view, user)), orderId, updatedSince };
  const sort = { key: updatedSince === null ? "id" : "updatedAt", direction: "asc" } as const;
  const rows = await listCertificatePart(getDb(), filter, { sort, behind, limit: size });
  const stages = await listStages(
    getDb(),
    rows.map(({ id }) => id),
    filter.heldByNames,
  );
  const items = await toItems(rows, now);
  return rows.flatMap(({ id, orderId: of, companyId, updatedAt, ...row }, index) => {
    const [item, stage] = [items[index], stages.get(id)];
    return item && stage ? [{ ...item, orderId: of, companyId, updatedAt, stage, checks: checksOf(row) }] : [];
  });
}

export type QueuedOrder = Awaited<ReturnType<typeof listQueuePart>>[number];

/** How many orders of a search are at each stage, and how many there are. */
export type StageCounts = Awaited<ReturnType<typeof listQueue>>["counts"];

export type QueueItem = Awaited<ReturnType<typeof listQueue>>["rows"][number];

/** Returns the ids of the oldest orders of a view of the queue that are ready to approve, as many as one act can approve. */
export async function listReadyIds(params: QueueListParams, user: Viewer): Promise<number[]> {
  const filter = await filterOf({ ...params, stage: "ready" }, user);
  const rows = await listCertificates(getDb(), filter, { sort: OLDEST_FIRST, offset: 0, limit: BULK_LIMIT });
  return rows.map(({ id }) => id);
}

/** Where an order stands in a view of the queue, with the addresses of its neighbours in this view. */
export interface QueuePlace {
  /** The number of the order in the view, from 1, or null when the view does not show it. */
  position: number | null;
  total: number;
  previous: string | null;
  next: string | null;
  /** The page of the queue that shows the order. */
  queue: string;
}

/** Returns where an order stands in a view of the queue. Throws a PortalError (404) when the order is missing. */
export async function findQueuePlace(id: number, view: QueueListParams, user: Viewer): Promise<QueuePlace> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  const { previous, next, total, before, isIncluded } = await findPlaceAmong(getDb(), await filterOf(view, user), {
    sort: sortOf(view),
    id,
  });
  const there = pageWith(isIncluded ? before : null, view);
  const at = (other: number | null) => (other === null ? null : orderInView(other, there));
  return {
    position: isIncluded ? before + 1 : null,
    total,
    previous: at(previous),
    next: at(next),
    queue: queuePage(there),
  };
}

/** Returns a view with the page that shows an order with so many before it. An order that the view does not show leaves the page. */
const pageWith = (before: number | null, view: QueueListParams): QueueListParams =>
  before === null ? view : { ...view, page: Math.floor(before / view.size) + 1 };

const queuePage = (view: QueueListParams) => queueList.href({ ...view, isAllSelected: false, problem: null });

/** Returns the address of the order after this one in a view of the queue, or of the page of the queue after the last one. */
export async function findNextInQueue(
  id: number,
  view: QueueListParams,
  user: Viewer,
): Promise<{ to: string; isLast: boolean }> {
  const { next, before } = await findNextAmong(getDb(), await filterOf(view, user), { sort: sortOf(view), id });
  const there = pageWith(before, view);
  return next === null ? { to: queuePage(there), isLast: true } : { to: orderInView(next, there), isLast: false };
}
