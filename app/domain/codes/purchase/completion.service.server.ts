import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { requireMember } from "~/domain/companies/membership.server";
import { actsFor, doerName, personName } from "~/domain/companies/people.server";
import { type Draft } from "~/domain/drafts/drafts.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { codeOrderMail } from "~/domain/mail/templates/code-orders.server";
import {
  completeDraft,
  requireShownAmounts,
  draftClaim,
  type SubmittedInvoice,
} from "~/domain/orders/draft-completion.server";
import { type InvoiceAddressForm } from "~/domain/orders/invoice-address.schema";
import { checkInvoice, type CheckedInvoice } from "~/domain/orders/invoice.service.server";
import { type OrderClaim } from "~/domain/orders/order-claim";
import { withinOrderLimit } from "~/domain/orders/order-limit.server";
import { orderNumber } from "~/domain/orders/order-number";
import { saleColumns } from "~/domain/orders/order-row.server";
import { codeProgressForMail } from "~/domain/orders/own/code-progress.server";
import { amountsName, vatFor } from "~/domain/orders/price.policy";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { insertOrder } from "~db/repositories/orders.server";
import { holdUser } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";
import { PURCHASE_ORDER_TYPE } from "~db/tables/orders";
import { inTransaction } from "~db/transaction.server";
import { CODE_TYPE_LABELS } from "../code-types";
import { type CodePurchase } from "./draft.server";
import { type CodeOrderForm } from "./order-form.schema";
import { pricedOrder, withPrice } from "./steps.service.server";

type Priced = ReturnType<typeof withPrice>;

/** The data from which an order is stored. */
interface Purchase extends CheckedInvoice {
  priced: Priced;
  /** Null for an order that came in one request. */
  draftId: string | null;
}

const orderRow = ({ id: userId, companyId }: SessionUser, { priced: { order, price }, ...sale }: Purchase, now: Date) =>
  ({
    ...saleColumns({ ...sale, userId, companyId, purchaseOrderNumber: order.purchaseOrderNumber, price }, now),
    purchaseOrderType: PURCHASE_ORDER_TYPE.code,
    codeType: order.productType,
    numberOfCodes: order.quantity,
  }) satisfies NewRow<"orders">;

async function recordOrder(trx: Trx, user: SessionUser, orderId: number, { order }: Priced, now: Date) {
  const what = `${order.quantity} × ${CODE_TYPE_LABELS[order.productType]}`;
  const message = `Order ${orderNumber(orderId)} of ${what} placed.`;
  const entry = { actor: user.actor, userId: user.id, orderId, event: "order.created", message };
  await recordAudit(trx, { ...entry, reference: order.purchaseOrderNumber }, now);
}

/**
 * Stores the order with its audit entry and email, and settles the claim, all or nothing. Returns the id of the order, or null when the
 * claim has an order already.
 */
async function storeOrder(
  trx: Trx,
  user: SessionUser,
  claim: OrderClaim,
  purchase: Purchase,
  now: Date,
): Promise<number | null> {
  await holdUser(trx, user.id); // before the draft, as an erasure does, which waits for the order or is seen here
  if (!(await claim.hold(trx))) return null;
  await requireMember(trx, user, user, "place-orders");
  const row = orderRow(user, purchase, now);
  const orderId = await insertOrder(trx, row);
  await recordOrder(trx, user, orderId, purchase.priced, now);
  const placedBy = actsFor(user);
  const mail = codeOrderMail({
    ...row,
    name: personName(user),
    orderedBy: placedBy && doerName(user, placedBy),
    orderNumber: orderNumber(orderId),
    codeType: CODE_TYPE_LABELS[row.codeType],
    perCodeCents: purchase.priced.perCodeCents,
    steps: await codeProgressForMail(trx, orderId, placedBy),
    url: getEnv().publicUrl + paths.order(orderId),
  });
  await queueOwnMail(trx, user.id, { dedupeKey: `order-confirmation:${orderId}`, orderId, mail }, now);
  await claim.settle(trx, orderId);
  return orderId;
}

/**
 * Completes an order of codes. Returns and throws the same as `completeDraft`.
 *
 * @param open The draft as it was opened.
 * @param submitted The fields that the form of the invoice step sends.
 */
export const completeCodePurchase = (
  user: SessionUser,
  open: Draft<CodePurchase>,
  submitted: SubmittedInvoice,
  now = new Date(),
): Promise<number | null> =>
  completeDraft(user.id, open, submitted, async (draft, invoice) => {
    const purchase = { ...invoice, priced: pricedOrder(draft.data), draftId: draft.id };
    requireShownAmounts(submitted, purchase.priced.price.netCents, invoice);
    const claim = draftClaim(user.id, draft, {}, now);
    await withinOrderLimit(user, () => inTransaction((trx) => storeOrder(trx, user, claim, purchase, now)));
  });

const amountsOf = (netCents: number, { country }: CheckedInvoice) =>
  amountsName(netCents, vatFor({ country, netCents, rate: getConfig().vatRate }));

/** An order that comes in one request. It must meet the same rules as the forms of the steps. */
export interface WholeCodeOrder {
  order: CodeOrderForm;
  invoice: InvoiceAddressForm;
  /** The expected net amount in integer cents without VAT; null when any price is accepted. */
  netCents: number | null;
}

/**
 * Places an order that came in one request under a claim. Returns the id of the order, or null when the claim has an order already. Throws
 * the same errors as `completeCodePurchase`, and a PortalError for the field `country` or `vat`.
 */
export async function placeCodePurchase(
  user: SessionUser,
  { order, invoice, netCents }: WholeCodeOrder,
  claim: OrderClaim,
  now = new Date(),
): Promise<number | null> {
  const priced = withPrice(order);
  const checked = await checkInvoice(user.id, invoice, now);
  if (netCents !== null) requireShownAmounts({ shown: amountsOf(netCents, checked) }, priced.price.netCents, checked);
  const purchase = { ...checked, priced, draftId: null };
  return withinOrderLimit(user, () => inTransaction((trx) => storeOrder(trx, user, claim, purchase, now)));
}
