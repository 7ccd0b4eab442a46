import { orderNumber } from "~/domain/orders/order-number";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { countQueued, listQueued, type QueuedRow } from "~db/repositories/mail-queue.server";
import { kindOf, MAIL_KINDS } from "./kinds";
import { type MailQueueListParams, type MailQueueState } from "./mail-queue-list";

function stateOf({ rejectedAt, heldFor, failingSince }: QueuedRow): MailQueueState {
  if (rejectedAt !== null) return "Rejected";
  if (heldFor !== null) return "Held";
  return failingSince === null ? "Waiting" : "Failing";
}

/** What a held message waits for. */
const HELD_FOR = {
  unconfirmed: "Sent when the customer's e-mail address is confirmed",
  stopped: "The contact wants no more messages",
} as const;

/** Returns what staff see of a message. Contains neither its text nor its key, because either may let somebody log in. */
function toListItem(row: QueuedRow) {
  const kind = kindOf(row.dedupeKey);
  return {
    id: row.id,
    recipient: row.recipient,
    kind,
    title: kind === null ? "Message" : MAIL_KINDS[kind].title,
    subject: row.subject,
    order: row.orderId === null ? null : { id: row.orderId, number: orderNumber(row.orderId) },
    state: stateOf(row),
    /** Since when the message fails or waits. */
    since: row.failingSince ?? row.createdAt,
    attempts: row.attempts,
    /** Null when the message is not tried again automatically, or when the time is not known. */
    nextAttemptAt: row.rejectedAt === null && row.heldFor === null ? row.nextAttemptAt : null,
    heldFor: row.heldFor === null ? null : HELD_FOR[row.heldFor],
    lastError: row.lastError,
  };
}

export type MailQueueItem = ReturnType<typeof toListItem>;

/** Returns one page of the messages that have not been sent. When the requested page is past the end, this is the last page. */
export async function listMailQueue(params: MailQueueListParams) {
  const { state, search, size, sort } = params;
  const filter = { state, recipient: search };
  const total = await countQueued(getDb(), filter);
  const pages = pagesOf(total, size);
  const page = Math.min(params.page, pages);
  const rows = await listQueued(getDb(), filter, { sort, offset: (page - 1) * size, limit: size });
  return { rows: rows.map(toListItem), total, pages, params: { ...params, page } };
}
