import { setTimeout as sleep } from "node:timers/promises";
import { beginAuthorisation } from "~/domain/certificates/queue/authorisation.service.server";
import { getInvoiceFile } from "~/domain/orders/invoices/invoice-file.service.server";
import { CLOCK_TOLERANCE_MS, ClockWatch } from "~/lib/clock";
import { log } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import {
  claimDueMails,
  dropMail,
  findDeliveryState,
  type Mail,
  type MailSelection,
  markMailFailed,
  markMailSent,
} from "~db/repositories/mails.server";
import { kindOf } from "./kinds";
import {
  configuredTransport,
  isRejection,
  type MailAttachment,
  type MailTransport,
  SEND_TIMEOUT_MS,
} from "./transport.server";

/**
 * How long a message is leased to the process that tries to send it, in milliseconds. It is longer than a try, even with a clock that is
 * ahead by the tolerated time. After a crash another process takes the message over when the lease has ended.
 */
const LEASE_MS = SEND_TIMEOUT_MS * 2 + CLOCK_TOLERANCE_MS;
const BATCH = 5;
const MINUTE_MS = 60_000;
const LONGEST_WAIT_MS = 6 * 60 * MINUTE_MS;

/** Returns the wait after the nth failed try in milliseconds: one minute, doubling up to six hours. The portal never gives a message up. */
export const retryDelay = (attempts: number): number => Math.min(MINUTE_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);

/**
 * How long a message with an invoice waits at most while orders are being approved, in milliseconds. Its PDF would take time of the processors
 * that people wait for.
 */
const INVOICE_WAITS_MS = 30_000;

const watch = memoize(() => new ClockWatch());

/** Returns the PDF of an invoice. When it cannot be made, the message waits. */
async function invoiceAttachment(invoiceId: number): Promise<MailAttachment> {
  const { fileName, mediaType, bytes } = await getInvoiceFile(invoiceId);
  return { filename: fileName, contentType: mediaType, content: bytes };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

type Outcome = "sent" | "failed" | "dropped";

/**
 * Returns whether a message is still worth sending. The link in a request to authorise becomes valid now, however long the message was
 * held.
 */
async function isStillNeeded({ dedupeKey }: Mail, now: Date): Promise<boolean> {
  const [kind, id] = dedupeKey.split(":");
  return kind !== "authorisation-request" || beginAuthorisation(Number(id), now);
}

async function send(transport: MailTransport, mail: Mail, now: Date): Promise<Outcome> {
  if (!(await isStillNeeded(mail, now))) {
    await dropMail(getDb(), mail.id, now);
    return "dropped";
  }
  await transport.send(mail, mail.invoiceId === null ? [] : [await invoiceAttachment(mail.invoiceId)]);
  return "sent";
}

async function attempt(transport: MailTransport, mail: Mail, now: Date): Promise<Outcome> {
  let outcome: Outcome;
  try {
    outcome = await send(transport, mail, now);
  } catch (error) {
    const nextAttemptAt = isRejection(error) ? null : new Date(now.getTime() + retryDelay(mail.attempts));
    const reason = reasonOf(error);
    log().warn({ mail: mail.id, attempts: mail.attempts, nextAttemptAt, reason }, "a message was not delivered");
    await markMailFailed(getDb(), mail, { error: reason, now, nextAttemptAt });
    return "failed";
  }
  if (outcome === "sent") await markMailSent(getDb(), mail.id, now, kindOf(mail.dedupeKey) === "data-erased");
  return outcome;
}

/** Returns whether invoices wait at this time, because people wait for something else. */
type InvoicesWait = (now: Date) => boolean | Promise<boolean>;

const neverWait: InvoicesWait = () => false;

/** Sends the selected messages that are due, a few at a time. */
async function deliver(
  selection: MailSelection,
  begin: Date,
  invoicesWait: InvoicesWait = neverWait,
): Promise<{ sent: number; failed: number }> {
  const transport = configuredTransport();
  const count = { sent: 0, failed: 0, dropped: 0 };
  const offset = begin.getTime() - Date.now();
  for (;;) {
    const now = new Date(Date.now() + offset);
    const until = new Date(now.getTime() + LEASE_MS);
    // Right after the clock was set, the leases do not show whether another process is still sending a message.
    const takesOver = watch().evenFor() > LEASE_MS;
    const invoicesBefore = (await invoicesWait(now)) ? new Date(now.getTime() - INVOICE_WAITS_MS) : null;
    const claim = { ...selection, now, until, limit: BATCH, takesOver, invoicesBefore };
    const mails = await claimDueMails(getDb(), claim);
    const results = await Promise.all(mails.map((mail) => attempt(transport, mail, now)));
    for (const outcome of results) count[outcome] += 1;
    if (mails.length < BATCH) return { sent: count.sent, failed: count.failed };
  }
}

/**
 * Sends all messages that are due. Never throws for a failed message: the reason is stored, and the message is tried again later or counts
 * as rejected. Each message is leased to one process. A message is sent twice, with the same Message-ID, only when nobody can know whether
 * it arrived: after a crash between the mail server's answer and the record of it, or when the connection broke before the answer
 * ([0029](../../../docs/decisions/0029-mail.md)).
 *
 * @param invoicesWait Whether messages with invoices wait now, for half a minute at most.
 */
export const deliverDueMail = (
  now = new Date(),
  invoicesWait?: InvoicesWait,
): Promise<{ sent: number; failed: number }> => deliver({}, now, invoicesWait);

/** Returns the state of a message; `pending` while a process is trying to send it. */
async function stateOf(selection: MailSelection): Promise<"sent" | "pending" | "failed"> {
  const state = await findDeliveryState(getDb(), selection);
  if (state?.sentAt) return "sent";
  return state?.leasedUntil ? "pending" : "failed";
}

/**
 * Tries to send one message, by its id or its key, or those of an order, at once and waits at most `within` milliseconds. Returns whether the mail server has
 * accepted the message, or the order's latest message to its owner (`isNotified`). Call it after the commit of the transaction that queued
 * them. Tries that take longer go on in the background, and the job tries failed messages again.
 */
export async function deliverMail(
  selection: { orderId: number } | { id: number } | { dedupeKey: string },
  { within }: { within: number },
): Promise<boolean> {
  const deadline = performance.now() + within;
  const delivery = deliver(selection, new Date()).catch(() => undefined);
  await Promise.race([delivery, sleep(within, undefined, { ref: false })]);
  for (;;) {
    const state = await stateOf(selection);
    if (state !== "pending" || performance.now() >= deadline) return state === "sent";
    await sleep(100);
  }
}
