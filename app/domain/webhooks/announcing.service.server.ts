import { invoiceNumber } from "~/domain/orders/invoices/invoice-content";
import { getDb, type Trx } from "~db/connection.server";
import { findHead } from "~db/repositories/audit-chain.server";
import { insertDeliveries } from "~db/repositories/webhook-deliveries.server";
import { listAllEndpoints, type WebhookEndpoint } from "~db/repositories/webhook-endpoints.server";
import {
  type AnnouncedEntry,
  findWebhookPosition,
  listAnnouncedCertificates,
  listAnnouncedCodes,
  listAnnouncedInvoices,
  listAnnouncedOrders,
  listEntriesBetween,
  lockWebhookPosition,
  moveWebhookPosition,
} from "~db/repositories/webhook-events.server";
import { inTransaction } from "~db/transaction.server";
import { readEvents, type WebhookEvent } from "./events";
import {
  certificatePayload,
  codePayload,
  deliveryOf,
  type Happening,
  invoicePayload,
  orderPayload,
  revokedPayload,
} from "./payload.server";

/** How many entries of the audit trail are read in one transaction. */
const ENTRIES_AT_ONCE = 1000;

/** The events of the audit trail of which webhooks tell, and what they call them. */
const EVENTS: Readonly<Record<string, WebhookEvent>> = {
  "order.created": "order.placed",
  "order.corrected": "order.corrected",
  "order.updated": "order.cancelled", // only the update that cancelled the order
  "certificate.rejected": "order.rejected",
  "certificate.cancelled": "order.cancelled",
  "certificate.issued": "certificate.issued",
  "certificate.revoked": "certificate.revoked",
  "certificate.expired": "certificate.expired",
  "certificate.partners-ready": "certificate.partners-ready",
  "invoice.issued": "invoice.issued",
  "invoice.credited": "invoice.credited",
  "code.entity-registered": "code.registered",
  "code.sub-entity-registered": "code.registered",
  "code.imported": "code.registered", // only a code that is registered
};

const idsOf = (entries: readonly AnnouncedEntry[], name: "orderId" | "certificateId" | "codeId") => [
  ...new Set(entries.flatMap((entry) => entry[name] ?? [])),
];

const byId = <R extends { id: number }>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]));

/** Reads what the entries are about. */
async function readSubjects(trx: Trx, entries: readonly AnnouncedEntry[]) {
  const ofInvoices = entries.filter(({ event }) => event.startsWith("invoice."));
  return {
    orders: byId(await listAnnouncedOrders(trx, idsOf(entries, "orderId"))),
    certificates: byId(await listAnnouncedCertificates(trx, idsOf(entries, "certificateId"))),
    codes: byId(await listAnnouncedCodes(trx, idsOf(entries, "codeId"))),
    invoices: await listAnnouncedInvoices(trx, idsOf(ofInvoices, "orderId")),
  };
}

type Subjects = Awaited<ReturnType<typeof readSubjects>>;
type Told = Pick<Happening, "event" | "data"> & { companyId: number };

/** Returns what happened to an order, or null for an update that did not cancel it. */
function orderTold(event: WebhookEvent, entry: AnnouncedEntry, { orders, certificates }: Subjects): Told | null {
  const order = orders.get(entry.orderId ?? 0);
  if (!order) return null;
  const isOtherUpdate = order.status !== "Cancelled" || order.updatedAt !== entry.at;
  if (entry.event === "order.updated" && isOtherUpdate) return null;
  return {
    event,
    companyId: order.companyId,
    data: orderPayload(order, certificates.get(entry.certificateId ?? 0)),
  };
}

/** Returns of what an entry tells, or null when it is about nothing that exists. */
function toldBy(entry: AnnouncedEntry, subjects: Subjects): Told | null {
  const event = EVENTS[entry.event] as WebhookEvent;
  const { orders, certificates, codes, invoices } = subjects;
  if (event.startsWith("order.")) return orderTold(event, entry, subjects);
  if (event.startsWith("certificate.")) {
    const row = certificates.get(entry.certificateId ?? 0);
    const data = row && (event === "certificate.revoked" ? revokedPayload(row) : certificatePayload(row));
    return row && data ? { event, companyId: row.companyId, data } : null;
  }
  if (event === "code.registered") {
    const code = codes.get(entry.codeId ?? 0);
    const isRegistered = entry.event !== "code.imported" || code?.status === "Registered";
    return code && isRegistered ? { event, companyId: code.companyId, data: codePayload(code) } : null;
  }
  const order = orders.get(entry.orderId ?? 0);
  const invoice = invoices.find((one) => one.orderId === entry.orderId && invoiceNumber(one) === entry.reference);
  return order && invoice ? { event, companyId: order.companyId, data: invoicePayload(invoice) } : null;
}

/** Returns the deliveries of an entry: one to each endpoint of the company that wants the event and was made before it happened. */
function deliveriesOf(entry: AnnouncedEntry, told: Told | null, endpoints: readonly WebhookEndpoint[], now: Date) {
  if (told === null) return [];
  const { event, companyId, data } = told;
  const sequence = entry.sequence ?? 0;
  const happening = { event, data, at: entry.at, source: `audit:${sequence}` };
  return endpoints
    .filter((one) => one.companyId === companyId && one.afterSequence < sequence)
    .filter(({ events }) => readEvents(events).some((wanted) => wanted === event))
    .map(({ id }) => deliveryOf(id, happening, now));
}

/** Reads the next entries and queues what they tell, in one transaction. Returns how many deliveries there were, and whether more follow. */
const announceSome = (now: Date) =>
  inTransaction(async (trx) => {
    const position = await lockWebhookPosition(trx);
    const endpoints = await listAllEndpoints(trx);
    const last = (await findHead(trx))?.sequence ?? 0;
    if (endpoints.length === 0 || position >= last) return { queued: 0, hasMore: false };
    const after = Math.max(position, Math.min(...endpoints.map(({ afterSequence }) => afterSequence)));
    const upTo = Math.min(after + ENTRIES_AT_ONCE, last);
    const entries = await listEntriesBetween(trx, { after, upTo, events: Object.keys(EVENTS) });
    const subjects = await readSubjects(trx, entries);
    const rows = entries.flatMap((entry) => deliveriesOf(entry, toldBy(entry, subjects), endpoints, now));
    const queued = await insertDeliveries(trx, rows);
    await moveWebhookPosition(trx, Math.max(upTo, position));
    return { queued, hasMore: upTo < last };
  });

/**
 * Queues for each endpoint what has happened in its company since the last run, as the audit trail says. An entry is read once, whichever
 * process reads it, and the audit trail is not read at all while there is no endpoint. Returns how many deliveries were queued.
 */
export async function announceEvents(now: Date): Promise<number> {
  let queued = 0;
  for (let hasMore = await isSomethingNew(); hasMore;) {
    const some = await announceSome(now);
    queued += some.queued;
    hasMore = some.hasMore;
  }
  return queued;
}

/** Returns whether there are endpoints and entries that were not read for them. It is asked first, because the transaction locks. */
async function isSomethingNew(): Promise<boolean> {
  const [endpoints, position, head] = await Promise.all([
    listAllEndpoints(getDb()),
    findWebhookPosition(getDb()),
    findHead(getDb()),
  ]);
  return endpoints.length > 0 && position < (head?.sequence ?? 0);
}
