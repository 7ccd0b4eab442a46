import { type CertificateWizard } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { findOrderByDraft } from "~db/repositories/orders.server";
import { findUserById } from "~db/repositories/users.server";
import { orderNumber } from "./order-number";

/** What the order-complete page shows (B §3, certificate completion state). Money in integer cents. */
export interface CompletedOrder {
  orderNumber: string;
  wizard: CertificateWizard;
  user: string;
  isNotified: boolean;
  purchaseOrderNumber: string;
  validityPeriod: number;
  promoCode: string | null;
  discountCents: number;
  netCents: number;
  vatRate: number;
  vatCents: number;
  totalCents: number;
  authenticationEmail: string;
}

/** The order that this user's draft became, or null. */
export async function findCompletedOrder(userId: number, draftId: string | null): Promise<CompletedOrder | null> {
  const order = draftId ? await findOrderByDraft(getDb(), draftId, userId) : null;
  const certificate = order && (await findCertificateByOrder(getDb(), order.id));
  const user = order && (await findUserById(getDb(), userId));
  if (!order || !certificate || !user) return null;
  return {
    orderNumber: orderNumber(order.id),
    wizard: certificate.orderType === "Renewal" ? "renew" : "purchase",
    user: user.email,
    isNotified: order.isNotified === 1,
    purchaseOrderNumber: order.purchaseOrderNumber,
    validityPeriod: certificate.validityYears,
    promoCode: order.promotionCode,
    discountCents: order.discountCents,
    netCents: order.netCents,
    vatRate: order.vatRate,
    vatCents: order.vatCents,
    totalCents: order.totalCents,
    authenticationEmail: certificate.authenticationEmail,
  };
}
