import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { getDb, type Trx } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { deleteContactStop, findContactStop, insertContactStop } from "~db/repositories/held-mails.server";
import { findOrder } from "~db/repositories/orders.server";
import { findToken } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";

export interface StopLink {
  email: string;
  /** The order that the message was about. */
  orderNumber: string | null;
  isStopped: boolean;
}

/** What the link 'Not me, send nothing more' is about, or null when it is unknown or too old. Changes nothing. */
export async function findStopLink(token: string, now = new Date()): Promise<StopLink | null> {
  const link = await findToken(getDb(), "stop-contact", token, now);
  if (!link) return null;
  const isStopped = (await findContactStop(getDb(), link.email)) !== null;
  return { email: link.email, orderNumber: link.orderId === null ? null : orderNumber(link.orderId), isStopped };
}

/** What an audit entry about an order points to. */
async function aboutOrder(trx: Trx, orderId: number | null) {
  const order = orderId === null ? null : await findOrder(trx, orderId);
  if (!order) return {};
  const certificate = await findCertificateByOrder(trx, order.id);
  return { orderId: order.id, userId: order.userId, certificateId: certificate?.id ?? null };
}

/**
 * Stops every further message to the address of a link as a contact, with an audit entry at the order. The link can be used again, which
 * changes nothing. Returns false when it is unknown or too old.
 */
export const stopContact = (token: string, now = new Date()): Promise<boolean> =>
  inTransaction(async (trx) => {
    const link = await findToken(trx, "stop-contact", token, now);
    if (!link) return false;
    const { email, orderId } = link;
    if (!(await insertContactStop(trx, { email, stoppedAt: now, orderId }))) return true;
    const about = orderId === null ? "" : ` by the link in a message about order ${orderNumber(orderId)}`;
    const message = `${email} asked for no more messages as a contact${about}.`;
    const entry = { actor: { id: null, name: email }, event: "contact.stopped", message };
    await recordAudit(trx, { ...entry, ...(await aboutOrder(trx, orderId)), reference: email }, now);
    return true;
  });

/** When this address asked for no more messages as a contact, or null. */
export const findStop = async (email: string): Promise<{ stoppedAt: string } | null> => findContactStop(getDb(), email);

/**
 * Staff allow messages to a contact again, with an audit entry at the order; requests to authorise that waited are sent. Returns false when
 * they were not stopped.
 */
export const allowContact = (
  { email, orderId }: { email: string; orderId: number },
  actor: Actor,
  now = new Date(),
): Promise<boolean> =>
  inTransaction(async (trx) => {
    if (!(await deleteContactStop(trx, email))) return false;
    const message = `Messages to ${email} as a contact are allowed again.`;
    const entry = { actor, event: "contact.allowed", message, reference: email.toLowerCase() };
    await recordAudit(trx, { ...entry, ...(await aboutOrder(trx, orderId)) }, now);
    return true;
  });
