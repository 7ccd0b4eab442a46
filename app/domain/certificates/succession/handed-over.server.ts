import { type SessionUser } from "~/domain/accounts/session-user";
import { personName } from "~/domain/companies/people.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { type Draft } from "~/domain/drafts/drafts.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { formatDate, formatDateTime } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { listHandedOver } from "~db/repositories/drafts.server";
import { findOrder } from "~db/repositories/orders.server";
import { findUserById } from "~db/repositories/users.server";
import { type PurchaseDraft } from "../purchase/drafts.schema";
import { type Preparer, preparerNames, preparersOf } from "../purchase/preparers.server";
import { renewalWizard } from "../purchase/wizards.server";

/** Returns the open drafts that were handed over in a company, each with the certificate that it renews. */
export async function listHandedOverRenewals(db: DbOrTrx, companyId: number, now: Date) {
  const rows = await listHandedOver(db, { companyId, kind: renewalWizard.kind }, now);
  return rows.map(({ data, ...row }) => ({ ...row, data: renewalWizard.schema.parse(JSON.parse(data)) }));
}

/**
 * Returns who has prepared an open draft, as the beginning of a sentence for this user: `You have`, or `Anna Brown (staff acted for them)
 * has`. `isOne` says whether it was one person.
 */
async function whoHas(db: DbOrTrx, user: SessionUser, draft: Parameters<typeof preparersOf>[1]) {
  const preparers = await preparersOf(db, draft);
  const isUser = ({ userId, impersonatorId }: Preparer) =>
    userId === user.id && impersonatorId === (user.impersonator?.id ?? null);
  const others = preparers.filter((one) => !isUser(one));
  const isOne = preparers.length === 1;
  const you = others.length < preparers.length ? ["You"] : [];
  const verb = isOne && you.length === 0 ? "has" : "have";
  return { who: `${preparerNames(others, { first: you })} ${verb}`, isOne };
}

/**
 * Throws a PortalError when the renewal of a certificate was handed over already and waits. Whoever prepared it can change that one, and
 * two of them would be two orders to choose from.
 *
 * @param draftId The draft that is handed over now, which may have been handed over before.
 */
export async function requireNotPrepared(
  db: DbOrTrx,
  user: SessionUser,
  certificateId: number,
  { draftId, now }: { draftId: string | null; now: Date },
): Promise<void> {
  const open = await listHandedOverRenewals(db, user.companyId, now);
  const other = open.find(({ id, data }) => id !== draftId && data.renews === certificateId);
  if (!other) return;
  const { who } = await whoHas(db, user, other);
  const text = `${who} prepared the renewal of this certificate already, on ${formatDateTime(other.handedOverAt)}. It waits for an owner or purchaser until ${formatDate(other.expiresAt)}. To change it, open it above the list of certificates.`;
  throw new PortalError(text, { code: "certificate.renew", field: "id" });
}

/** Returns a sentence about who has prepared a draft that was handed over, without the time at its end, and that time; or null. */
export async function preparationOf(user: SessionUser, draft: Draft<PurchaseDraft>) {
  if (draft.handedOverAt === null) return null;
  const { who, isOne } = await whoHas(getDb(), user, draft);
  const what = isOne ? "prepared and handed over this renewal on" : "prepared this renewal. It was handed over on";
  return { text: `${who} ${what}`, at: draft.handedOverAt };
}

/**
 * Returns the certificate of the order that a draft of a renewal has become, with a sentence that says who ordered it, or null when it was
 * this user, who may see the last page of the order.
 */
export async function findOrderedByOther(user: SessionUser, orderId: number) {
  const order = await findOrder(getDb(), orderId);
  const certificate = await findCertificateByOrder(getDb(), orderId);
  const isOwn = order?.userId === user.id;
  if (!order || !certificate || (isOwn && mayAsMember(user, "place-orders"))) return null;
  const orderer = isOwn ? null : await findUserById(getDb(), order.userId);
  const text = `${orderer ? `${personName(orderer)} has` : "You have"} ordered this renewal: order ${orderNumber(orderId)}.`;
  return { certificateId: certificate.id, text };
}
