import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit, recordAudits } from "~/domain/audit/audit.service.server";
import { actsFor, doerName } from "~/domain/companies/people.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { orderConfirmationMail } from "~/domain/mail/templates/orders.server";
import { orderNumber } from "~/domain/orders/order-number";
import { progressForMail } from "~/domain/orders/own/certificate-progress.server";
import { formatDateTime } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { findContactStop } from "~db/repositories/held-mails.server";
import { requestAuthorisation } from "../queue/authorisation-request.server";
import { holderOf, type OrderIds, orderRow, type Purchase } from "./rows.server";

/**
 * Returns whether the authentication contact is asked at once, is asked when the customer's email is confirmed, or has stopped all
 * messages.
 */
async function requestState(
  trx: Trx,
  contact: string,
  isVerified: boolean,
): Promise<"asked" | "asked-later" | "not-asked"> {
  if (await findContactStop(trx, contact)) return "not-asked";
  return isVerified ? "asked" : "asked-later";
}

/**
 * Queues the customer's confirmation, and the request to the authentication contact. For an order within a standing authorisation nobody is
 * asked.
 */
export async function queueOrderMails(
  trx: Trx,
  user: SessionUser,
  purchase: Purchase,
  { orderId, certificateId, isWithin }: OrderIds & { isWithin: boolean },
  now: Date,
): Promise<void> {
  const clientName = user.apiClient?.name ?? null;
  const placedBy = actsFor(user);
  const { technical, contact, order, price, original } = purchase;
  const { publicUrl } = getEnv();
  const { vatCents, totalCents } = orderRow(purchase, now);
  const confirmation = orderConfirmationMail({
    orderNumber: orderNumber(orderId),
    commonName: holderOf(purchase).commonName,
    validityYears: order.validityPeriod,
    renewed: original && {
      certificateId: original.row.id,
      commonName: original.row.commonName,
      expiryDate: original.row.expiryDate,
    },
    name: technical.name,
    orderedBy: placedBy && doerName(user, placedBy),
    purchaseOrderNumber: order.purchaseOrderNumber,
    promotionCode: purchase.promotion?.code ?? null,
    discountCents: price.discountCents,
    netCents: price.netCents,
    vatCents,
    totalCents,
    contactIs: isWithin ? "not-needed" : await requestState(trx, contact.email, user.emailVerified),
    steps: await progressForMail(trx, user.id, certificateId, placedBy),
    url: publicUrl + paths.order(orderId),
  });
  const own = { dedupeKey: `order-confirmation:${orderId}`, orderId, mail: confirmation } as const;
  await queueOwnMail(trx, user.id, own, now);
  if (!isWithin) await requestAuthorisation(trx, { certificateId, clientName }, now);
}

/** Records the audit entries of a new order. Whoever prepared it has one of their own, which the four-eyes principle reads. */
export async function recordPurchase(
  trx: Trx,
  user: SessionUser,
  purchase: Purchase,
  ids: OrderIds,
  now: Date,
): Promise<void> {
  const about = { actor: user.actor, userId: user.id, ...ids };
  const { commonName, organisation } = holderOf(purchase);
  const order = orderNumber(ids.orderId);
  await recordAudit(
    trx,
    {
      ...about,
      event: "order.created",
      message: `Order ${order} placed.`,
      reference: purchase.order.purchaseOrderNumber,
    },
    now,
  );
  const { original, preparers, draftId: reference, handedOverAt } = purchase;
  const handedOver = handedOverAt === null ? "" : `, which was handed over on ${formatDateTime(handedOverAt)} UTC`;
  const message = `Prepared order ${order} before it was placed${handedOver}.`; // the preparer does nothing now
  const prepared = { ...about, event: "order.prepared", message, reference };
  await recordAudits(
    trx,
    preparers.map((actor) => ({ ...prepared, actor })),
    now,
  );
  const requested = original
    ? `Renewal of certificate ${original.row.id} for ${commonName}, ${organisation} requested with order ${order}.`
    : `Certificate for ${commonName}, ${organisation} requested with order ${order}.`;
  const event = original ? "certificate.renewal-requested" : "certificate.requested";
  await recordAudit(trx, { ...about, event, message: requested }, now);
  if (!purchase.promotion) return;
  const redeemed = `Promotion code ${purchase.promotion.code} redeemed with order ${order}.`;
  await recordAudit(
    trx,
    { ...about, event: "promotion-code.redeemed", message: redeemed, reference: purchase.promotion.code },
    now,
  );
}
