import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { recipientsFor } from "~/domain/companies/recipient.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { orderNumber } from "~/domain/orders/order-number";
import { type Client } from "~/domain/security-events/client";
import { noteDeadLink } from "~/domain/security-events/dead-link.server";
import { getEnv } from "~/lib/env.server";
import { networkOf } from "~/lib/networks.server";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import {
  deleteContactStop,
  findContactStop,
  insertContactStop,
  listUnanswered,
} from "~db/repositories/held-mails.server";
import { findOrder } from "~db/repositories/orders.server";
import { findToken } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { queueOwnMail } from "./queue.service.server";
import { contactStoppedMail } from "./templates/orders.server";

export interface StopLink {
  email: string;
  /** The number of the order that the message was about, or null. */
  orderNumber: string | null;
  isStopped: boolean;
}

/** Counts links that are unknown or have expired, by network. */
const LIMIT = "authorise-address";

async function countDeadLink(client: Client): Promise<void> {
  noteDeadLink(client, "to stop messages");
  await consumeTry(LIMIT, networkOf(client.address));
}

/**
 * Returns what the link 'Not me, send nothing more' is for, or null when it is unknown or has expired. Such a link counts against its
 * network. Throws a PortalError (429) when there were too many.
 */
export async function findStopLink(token: string, client: Client, now = new Date()): Promise<StopLink | null> {
  const link = await findToken(getDb(), "stop-contact", token, now);
  if (!link) {
    await countDeadLink(client);
    return null;
  }
  const isStopped = (await findContactStop(getDb(), link.email)) !== null;
  return { email: link.email, orderNumber: link.orderId === null ? null : orderNumber(link.orderId), isStopped };
}

/** Returns the references for an audit entry about an order. */
async function aboutOrder(trx: Trx, orderId: number | null) {
  const order = orderId === null ? null : await findOrder(trx, orderId);
  if (!order) return {};
  const certificate = await findCertificateByOrder(trx, order.id);
  return { orderId: order.id, userId: order.userId, certificateId: certificate?.id ?? null };
}

/** Informs those who get the messages about the orders that wait for this contact's answer (`recipientsFor`), in one message each. */
async function tellCustomers(trx: Trx, email: string, now: Date): Promise<void> {
  const waiting = await listUnanswered(trx, email);
  const recipientOf = await recipientsFor(trx, waiting);
  for (const user of new Map(waiting.map(recipientOf).map((one) => [one.id, one])).values()) {
    const theirs = waiting.filter((order) => recipientOf(order).id === user.id);
    const orderNumbers = theirs.map(({ orderId }) => orderNumber(orderId));
    const url = getEnv().publicUrl + paths.orders;
    const mail = contactStoppedMail({ name: user.firstName, contact: email, orderNumbers, url });
    const dedupeKey = `contact-stopped:${user.id}:${email}:${now.toISOString()}` as const;
    await queueOwnMail(trx, user.id, { dedupeKey, mail }, now);
  }
}

/**
 * Stops all further messages to the address of a link as a contact, with an audit entry at the order. Informs the customers whose orders
 * wait for the contact's answer. Using the link again changes nothing. Returns false when the link is unknown or has expired.
 * Such a link counts against its network. Throws a PortalError (429) when there were too many.
 */
export async function stopContact(token: string, client: Client, now = new Date()): Promise<boolean> {
  const isStopped = await storeStop(token, client, now);
  if (!isStopped) await countDeadLink(client);
  return isStopped;
}

const storeStop = (token: string, client: Client, now: Date): Promise<boolean> =>
  inTransaction(async (trx) => {
    const link = await findToken(trx, "stop-contact", token, now);
    if (!link) return false;
    const { email, orderId } = link;
    if (!(await insertContactStop(trx, { email, stoppedAt: now, orderId }))) return true;
    const about = orderId === null ? "" : ` by the link in a message about order ${orderNumber(orderId)}`;
    const message = `${email} asked for no more messages as a contact${about}.`;
    const entry = { actor: { id: null, name: email, client }, event: "contact.stopped", message };
    await recordAudit(trx, { ...entry, ...(await aboutOrder(trx, orderId)) }, now);
    await tellCustomers(trx, email, now);
    return true;
  });

/**
 * Stops all further messages to an address as a contact, because its reader asked for it on a page of their own. Informs the customers whose
 * orders wait for the contact's answer. The caller writes the audit entry.
 */
export async function stopAddress(trx: Trx, email: string, now: Date): Promise<void> {
  const address = email.toLowerCase();
  if (await insertContactStop(trx, { email: address, stoppedAt: now, orderId: null }))
    await tellCustomers(trx, address, now);
}

/** Returns when this address stopped messages to it as a contact, or null. */
export const findStop = async (email: string): Promise<{ stoppedAt: string } | null> => findContactStop(getDb(), email);

/**
 * Allows messages to a contact again, with an audit entry at the order. Requests to authorise that were held are sent. Returns false when
 * messages were not stopped.
 */
export const allowContact = (
  { email, orderId }: { email: string; orderId: number },
  actor: Actor,
  now = new Date(),
): Promise<boolean> =>
  inTransaction(async (trx) => {
    await requireTask(trx, actor, "allow-messages");
    if (!(await deleteContactStop(trx, email))) return false;
    const message = `Messages to ${email} as a contact are allowed again.`;
    const entry = { actor, event: "contact.allowed", message };
    await recordAudit(trx, { ...entry, ...(await aboutOrder(trx, orderId)) }, now);
    return true;
  });
