import { type SessionUser } from "~/domain/accounts/session-user";
import { preparersOfOrder, preparersText } from "~/domain/certificates/purchase/preparers.server";
import { namesPeople, personName } from "~/domain/companies/people.server";
import { type CertificateWizard } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { type HeldOfOrder, listHeldOfOrder } from "~db/repositories/held-mails.server";
import { findOrderByDraft, type OrderRow } from "~db/repositories/orders.server";
import { type CodeType } from "~db/tables";
import { parseInvoiceAddress } from "./invoice-address.schema";
import { orderNumber } from "./order-number";
import { certificateProgress } from "./own/certificate-progress.server";
import { type ProgressStep } from "./own/progress.policy";

/** What both order-complete pages show (PUR-10, CPO-03). Amounts are in integer cents. */
interface Completed {
  id: number;
  purchaseOrderType: number;
  orderNumber: string;
  user: string;
  /** Who has done what for the order, as terms with names. Empty for somebody who works alone. */
  people: { term: string; detail: string }[];
  isNotified: boolean;
  /** Whether the confirmation is held until the user's email address is confirmed. */
  isConfirmationHeld: boolean;
  purchaseOrderNumber: string;
  netCents: number;
  vatCents: number;
  totalCents: number;
}

export interface CompletedOrder extends Completed {
  wizard: CertificateWizard;
  validityPeriod: number;
  promoCode: string | null;
  discountCents: number;
  vatRate: number;
  steps: ProgressStep[];
}

export interface CompletedCodeOrder extends Completed {
  codeType: CodeType;
  quantity: number;
  perCodeCents: number;
  /** Whether an invoice to another address is held until the user's email address is confirmed. */
  isInvoiceHeld: boolean;
}

/** Returns who placed the order, and who else prepared it. */
async function peopleOf(user: SessionUser, order: OrderRow): Promise<Completed["people"]> {
  const preparers = await preparersOfOrder(getDb(), order);
  if (!(await namesPeople(user, preparers))) return [];
  const prepared = await preparersText(getDb(), order);
  return [
    { term: "Ordered by", detail: personName(user) },
    ...(prepared === null ? [] : [{ term: "Prepared by", detail: prepared }]),
  ];
}

const completed = async (order: OrderRow, user: SessionUser, held: readonly HeldOfOrder[]): Promise<Completed> => ({
  id: order.id,
  purchaseOrderType: order.purchaseOrderType,
  orderNumber: orderNumber(order.id),
  user: user.email,
  people: await peopleOf(user, order),
  isNotified: order.isNotified === true,
  isConfirmationHeld: held.some(({ dedupeKey }) => dedupeKey === `order-confirmation:${order.id}`),
  purchaseOrderNumber: order.purchaseOrderNumber,
  netCents: order.netCents,
  vatCents: order.vatCents,
  totalCents: order.totalCents,
});

/** Returns the certificate order that was made from this user's draft, or null. */
export async function findCompletedOrder(user: SessionUser, draftId: string | null): Promise<CompletedOrder | null> {
  const order = draftId ? await findOrderByDraft(getDb(), draftId, user.id) : null;
  const certificate = order && (await findCertificateByOrder(getDb(), order.id));
  if (!order || !certificate) return null;
  const held = await listHeldOfOrder(getDb(), order.id);
  return {
    ...(await completed(order, user, held)),
    wizard: certificate.orderType === "Renewal" ? "renew" : "purchase",
    validityPeriod: certificate.validityYears,
    promoCode: order.promotionCode,
    discountCents: order.discountCents,
    vatRate: order.vatRate,
    steps: await certificateProgress(user, certificate),
  };
}

/** Returns the order of codes that was made from this user's draft, or null. */
export async function findCompletedCodeOrder(
  user: SessionUser,
  draftId: string | null,
): Promise<CompletedCodeOrder | null> {
  const order = draftId ? await findOrderByDraft(getDb(), draftId, user.id) : null;
  if (!order?.codeType || !order.numberOfCodes) return null;
  return {
    ...(await completed(order, user, await listHeldOfOrder(getDb(), order.id))),
    codeType: order.codeType,
    quantity: order.numberOfCodes,
    perCodeCents: order.priceCents / order.numberOfCodes,
    isInvoiceHeld:
      !user.emailVerified && parseInvoiceAddress(order.invoiceAddress).email.toLowerCase() !== user.email.toLowerCase(),
  };
}
