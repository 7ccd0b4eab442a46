import { ssidUri } from "~/ca/x509/general-names.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { queueContactMail, queueOwnMail } from "~/domain/mail/queue.service.server";
import { contactAuthorisationMail, orderConfirmationMail } from "~/domain/mail/templates/orders.server";
import { orderNumber } from "~/domain/orders/order-number";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { findContactStop } from "~db/repositories/held-mails.server";
import { issueToken } from "~db/repositories/tokens.server";
import { AUTHORISATION_DAYS, UNSENT_LINK_DAYS } from "../queue/authorisation.service.server";
import { namesOfOrder } from "../request/certified-names.server";
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

/** Queues the customer's confirmation, and the authentication contact's message with a link that is good for one use. */
export async function queueOrderMails(
  trx: Trx,
  { id: userId, emailVerified }: SessionUser,
  purchase: Purchase,
  ids: OrderIds,
  now: Date,
): Promise<void> {
  const { orderId, certificateId } = ids;
  const { technical, contact, order, price, original } = purchase;
  const holder = holderOf(purchase);
  const { commonName, organisation } = holder;
  const { publicUrl } = getEnv();
  const common = {
    orderNumber: orderNumber(orderId),
    commonName,
    validityYears: order.validityPeriod,
    renewed: original && {
      certificateId: original.row.id,
      commonName: original.row.commonName,
      expiryDate: original.row.expiryDate,
    },
  };
  const { vatCents, totalCents } = orderRow(purchase, now);
  const confirmation = orderConfirmationMail({
    ...common,
    name: technical.name,
    purchaseOrderNumber: order.purchaseOrderNumber,
    promotionCode: purchase.promotion?.code ?? null,
    discountCents: price.discountCents,
    netCents: price.netCents,
    vatCents,
    totalCents,
    contactIs: await requestState(trx, contact.email, emailVerified),
    url: publicUrl + paths.certificateDetails(certificateId),
  });
  const token = await issueToken(
    trx,
    { purpose: "authorise-order", email: contact.email, certificateId, lifetimeMs: UNSENT_LINK_DAYS * DAY },
    now,
  );
  const authorisation = contactAuthorisationMail({
    ...common,
    applicantName: technical.name,
    applicantEmail: technical.email,
    company: technical.company,
    organisation,
    alternativeNames: namesOfOrder(holder).map(({ type, value }) => (type === "ssid" ? ssidUri(value) : value)),
    url: publicUrl + paths.authoriseOrder(token),
    validFor: `${AUTHORISATION_DAYS} days`,
  });
  const own = { dedupeKey: `order-confirmation:${orderId}`, orderId, mail: confirmation } as const;
  await queueOwnMail(trx, userId, own, now);
  const request = { dedupeKey: `authorisation-request:${certificateId}`, orderId, mail: authorisation } as const;
  await queueContactMail(trx, userId, { ...request, to: contact.email }, now);
}

/** Records the audit entries of a new order. */
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
  const { original } = purchase;
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
