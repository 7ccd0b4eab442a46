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
import {
  configuredTransport,
  isRejection,
  type MailAttachment,
  type MailTransport,
  SEND_TIMEOUT_MS,
} from "./transport.server";

/**
 * How long a message belongs to the process that tries it: longer than a try lasts, also by a clock that is ahead as far as is tolerated.
 * After a crash another process takes it over then.
 */
const LEASE_MS = SEND_TIMEOUT_MS * 2 + CLOCK_TOLERANCE_MS;
const BATCH = 5;
const MINUTE_MS = 60_000;
const LONGEST_WAIT_MS = 6 * 60 * MINUTE_MS;

/** Wait after the n-th failed attempt: one minute, doubling up to six hours; a message is never given up. */
export const retryDelay = (attempts: number): number => Math.min(MINUTE_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);

const watch = memoize(() => new ClockWatch());

/** The PDF of an invoice; one that cannot be made keeps its message waiting. */
async function invoiceAttachment(invoiceId: number): Promise<MailAttachment> {
  const { fileName, mediaType, bytes } = await getInvoiceFile(invoiceId);
  return { filename: fileName, contentType: mediaType, content: bytes };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

type Outcome = "sent" | "failed" | "dropped";

/** Whether a message is still worth sending. The link in a request to authorise begins to run now, however long it was held. */
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
  if (outcome === "sent") await markMailSent(getDb(), mail.id, now);
  return outcome;
}

/** Sends what is due among the selected messages, a few at a time. */
async function deliver(selection: MailSelection, begin: Date): Promise<{ sent: number; failed: number }> {
  const transport = configuredTransport();
  const count = { sent: 0, failed: 0, dropped: 0 };
  const offset = begin.getTime() - Date.now();
  for (;;) {
    const now = new Date(Date.now() + offset);
    const until = new Date(now.getTime() + LEASE_MS);
    // A clock that was just set tells nothing of the messages that are on their way.
    const takesOver = watch().evenFor() > LEASE_MS;
    const mails = await claimDueMails(getDb(), { ...selection, now, until, limit: BATCH, takesOver });
    const results = await Promise.all(mails.map((mail) => attempt(transport, mail, now)));
    for (const outcome of results) count[outcome] += 1;
    if (mails.length < BATCH) return { sent: count.sent, failed: count.failed };
  }
}

/**
 * Sends every message that is due. A failure is kept with its text and tried again later, or is a rejection; it is never thrown.
 * Each message is leased to one process. A message is repeated, under the same Message-ID, only when nobody can know that it arrived: a crash
 * between the mail server's answer and our note of it, or a connection that broke before the answer
 * ([0029](../../../docs/decisions/0029-mail.md)).
 */
export const deliverDueMail = (now = new Date()): Promise<{ sent: number; failed: number }> => deliver({}, now);

/** `pending` while some process is trying the message. */
async function stateOf(selection: MailSelection): Promise<"sent" | "pending" | "failed"> {
  const state = await findDeliveryState(getDb(), selection);
  if (state?.sentAt) return "sent";
  return state?.leasedUntil ? "pending" : "failed";
}

/**
 * Tries one message, or those of an order, at once and waits at most `within` milliseconds.
 * Out: whether it, or the order's youngest message to its owner, has been handed over (B: isNotified).
 * Call it after the commit that queued them. Attempts that take longer go on in the background; failures are retried by the job.
 */
export async function deliverMail(
  selection: { orderId: number } | { id: number },
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
