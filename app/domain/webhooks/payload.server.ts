import { reasonText } from "~/domain/certificates/revocation/reasons";
import { fullCode } from "~/domain/codes/code-types";
import { invoiceNumber } from "~/domain/orders/invoices/invoice-content";
import { orderNumber } from "~/domain/orders/order-number";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import {
  type AnnouncedCertificate,
  type AnnouncedCode,
  type AnnouncedInvoice,
  type AnnouncedOrder,
} from "~db/repositories/webhook-events.server";
import { type NewRow } from "~db/tables";
import { PURCHASE_ORDER_TYPE } from "~db/tables/orders";
import { type WEBHOOK_DATA, type WebhookData } from "./payloads.schema";
import { newMessageId } from "./signing.server";

const pageAt = (path: string) => getEnv().publicUrl + path;

const kindOfOrder = ({ purchaseOrderType, orderType }: AnnouncedOrder) =>
  purchaseOrderType === PURCHASE_ORDER_TYPE.certificate
    ? "certificate"
    : orderType === "Maintenance"
      ? "maintenance"
      : "codes";

export const orderPayload = (
  order: AnnouncedOrder,
  certificate: AnnouncedCertificate | undefined,
): WebhookData<"order.placed"> => ({
  orderId: order.id,
  orderNumber: orderNumber(order.id),
  kind: kindOfOrder(order),
  status: order.status,
  certificateId: certificate?.id ?? null,
  commonName: certificate?.commonName ?? null,
  url: pageAt(paths.order(order.id)),
});

export const certificatePayload = (row: AnnouncedCertificate): WebhookData<"certificate.issued"> => ({
  certificateId: row.id,
  orderId: row.orderId,
  orderNumber: orderNumber(row.orderId),
  commonName: row.commonName,
  status: row.status,
  serialNumber: row.serialNumber,
  sha256: row.thumbprintSha256,
  notBefore: row.startDate,
  notAfter: row.expiryDate,
  url: pageAt(paths.certificateDetails(row.id)),
});

export const revokedPayload = (row: AnnouncedCertificate): WebhookData<"certificate.revoked"> => ({
  ...certificatePayload(row),
  revokedAt: row.revocationDate,
  reason: reasonText(row.revocationReason),
});

export const invoicePayload = (invoice: AnnouncedInvoice): WebhookData<"invoice.issued"> => ({
  invoiceId: invoice.id,
  number: invoiceNumber(invoice),
  orderId: invoice.orderId,
  orderNumber: orderNumber(invoice.orderId),
  orderNumbers: invoice.orderIds.map(orderNumber),
  totalCents: invoice.totalCents,
  issuedAt: invoice.issuedAt,
  url: pageAt(paths.invoice(invoice.id)),
});

export const codePayload = (code: AnnouncedCode): WebhookData<"code.registered"> => ({
  codeId: code.id,
  code: fullCode(code),
  codeType: code.codeType,
  orderId: code.orderId,
  url: pageAt(paths.codeDetails({ code: code.id })),
});

/** What happened: the event with its data, and a name that no other event has, such as `audit:4711`. */
export interface Happening<Event extends keyof typeof WEBHOOK_DATA = keyof typeof WEBHOOK_DATA> {
  event: Event;
  /** An ISO timestamp. */
  at: string;
  source: string;
  data: WebhookData<Event>;
}

/** Returns the row with which an endpoint is told what happened. */
export const deliveryOf = (
  endpointId: number,
  { event, at, source, data }: Happening,
  now: Date,
): NewRow<"webhookDeliveries"> => ({
  endpointId,
  source,
  messageId: newMessageId(),
  event,
  body: JSON.stringify({ type: event, timestamp: at, data }),
  createdAt: now,
  begunAt: now,
  nextAttemptAt: now,
});
