import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { personName } from "~/domain/companies/people.server";
import { orderNumber } from "~/domain/orders/order-number";
import { notFound, PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { type CertificateRow, changeOpenOrder } from "~db/repositories/certificates.server";
import { hasCommentSince, insertOrderComment, listOrderComments } from "~db/repositories/order-comments.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { findUserById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { isOpenOrder, notOpen } from "./order-decision.policy";

/**
 * How members of staff share the queue: who works on an order, and what they write about it for each other. Neither keeps anybody from
 * checking or deciding an order.
 */

/** Returns the name of the member of staff with this id. */
export async function nameOfStaff(db: DbOrTrx, id: number): Promise<string> {
  const person = await findUserById(db, id);
  return person ? personName(person) : "Somebody";
}

/** Records what a member of staff has done about an order without deciding it. */
export async function recordOrderWork(
  trx: Trx,
  row: CertificateRow,
  { user, event, message }: { user: SessionUser; event: string; message: string },
  now: Date,
): Promise<void> {
  const { userId, orderId, id: certificateId } = row;
  const reference = orderNumber(orderId);
  await recordAudit(trx, { actor: user.actor, event, message, userId, orderId, certificateId, reference }, now);
}

/** Locks an order on which this user may work. Throws a PortalError (403) without the right, and (404) when there is no such order. */
async function lockForWork(trx: Trx, id: number, user: SessionUser): Promise<CertificateRow> {
  await requireTask(trx, user.actor, "work-on-orders");
  const row = await lockCertificate(trx, id);
  if (!row) throw notFound();
  return row;
}

/** Notes that this user works on a locked open order, and records it with whoever had it before. */
export async function assignOrder(trx: Trx, row: CertificateRow, user: SessionUser, now: Date): Promise<void> {
  await changeOpenOrder(trx, row.id, { assignedTo: user.id, assignedAt: now }, now);
  const from = row.assignedTo === null ? "" : ` over from ${await nameOfStaff(trx, row.assignedTo)}`;
  await recordOrderWork(trx, row, { user, event: "certificate.order-taken", message: `Took the order${from}.` }, now);
}

/**
 * Makes this user the one who works on an open order. Who already does changes nothing. Throws a PortalError when the order is decided, and
 * when somebody else took it since the page was opened.
 *
 * @param seen The id of whoever had the order when the page was opened, or null for nobody.
 */
export function takeOrder(user: SessionUser, id: number, seen: number | null, now = new Date()): Promise<void> {
  return inTransaction(async (trx) => {
    const row = await lockForWork(trx, id, user);
    if (!isOpenOrder(row)) throw notOpen(row);
    if (row.assignedTo === user.id) return;
    if (row.assignedTo !== null && row.assignedTo !== seen) {
      const text = `${await nameOfStaff(trx, row.assignedTo)} took the order meanwhile. To work on it yourself, take it over.`;
      throw new PortalError(text, { code: "certificate.taken", status: 409 });
    }
    await assignOrder(trx, row, user, now);
  });
}

/** Notes that nobody works on a locked open order, and records it. */
export async function unassignOrder(trx: Trx, row: CertificateRow, user: SessionUser, now: Date): Promise<void> {
  await changeOpenOrder(trx, row.id, { assignedTo: null, assignedAt: null }, now);
  await recordOrderWork(trx, row, { user, event: "certificate.order-released", message: "Released the order." }, now);
}

/** Makes nobody the one who works on an open order that this user has. An order that this user does not have stays as it is. */
export function releaseOrder(user: SessionUser, id: number, now = new Date()): Promise<void> {
  return inTransaction(async (trx) => {
    const row = await lockForWork(trx, id, user);
    if (row.assignedTo === user.id && isOpenOrder(row)) await unassignOrder(trx, row, user, now);
  });
}

/**
 * Adds a comment about an order, whatever its state. It is never changed or deleted. A form that is sent twice adds it once.
 *
 * @param seen The id of the latest comment that the page of the form showed, 0 for none.
 */
export function addOrderComment(
  user: SessionUser,
  id: number,
  { text, seen }: { text: string; seen: number },
  now = new Date(),
): Promise<void> {
  return inTransaction(async (trx) => {
    const row = await lockForWork(trx, id, user);
    const comment = { certificateId: id, writtenBy: user.id, text };
    if (await hasCommentSince(trx, comment, seen)) return;
    await insertOrderComment(trx, { ...comment, writtenAt: now });
    await recordOrderWork(
      trx,
      row,
      { user, event: "certificate.order-commented", message: "Added a comment about the order." },
      now,
    );
  });
}

/** Returns the comments of staff about an order, the latest first. */
export async function listCommentsAbout(id: number) {
  const rows = await listOrderComments(getDb(), id);
  return rows.map(({ text, writtenAt, id: commentId, ...person }) => ({
    id: commentId,
    text,
    writtenAt,
    by: personName(person),
  }));
}

/** Returns who works on an order and since when, or null for nobody. `isOwn` says that it is this user. */
export async function assigneeOf({ assignedTo, assignedAt }: CertificateRow, user: Pick<SessionUser, "id">) {
  const person = assignedTo === null ? null : await findUserById(getDb(), assignedTo);
  return person && { id: person.id, name: personName(person), at: assignedAt, isOwn: person.id === user.id };
}
