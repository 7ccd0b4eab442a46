import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { clearDraft, type Draft } from "~/domain/drafts/drafts.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { codeOrderMail } from "~/domain/mail/templates/code-orders.server";
import { completeDraft, demandShown, holdDraft, type SubmittedInvoice } from "~/domain/orders/draft-completion.server";
import { type CheckedInvoice } from "~/domain/orders/invoice.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { saleColumns } from "~/domain/orders/order-row.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { insertOrder } from "~db/repositories/orders.server";
import { type NewRow, PURCHASE_ORDER_TYPE } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { CODE_TYPE_LABELS } from "../code-types";
import { type CodePurchase } from "./draft.server";
import { pricedOrder } from "./steps.service.server";

type Priced = ReturnType<typeof pricedOrder>;

const orderRow = (userId: number, draftId: string, { order, price }: Priced, invoice: CheckedInvoice, now: Date) =>
  ({
    ...saleColumns({ userId, draftId, purchaseOrderNumber: order.purchaseOrderNumber, price, ...invoice }, now),
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

/** All or nothing: order, audit entry, mail, and the end of the draft. */
async function storeOrder(
  trx: Trx,
  user: SessionUser,
  draft: Draft<CodePurchase>,
  invoice: CheckedInvoice,
  now: Date,
): Promise<void> {
  if (!(await holdDraft(trx, user.id, draft, now))) return;
  const priced = pricedOrder(draft.data);
  const row = orderRow(user.id, draft.id, priced, invoice, now);
  const orderId = await insertOrder(trx, row);
  await recordOrder(trx, user, orderId, priced, now);
  const mail = codeOrderMail({
    ...row,
    name: `${user.firstName} ${user.lastName}`,
    orderNumber: orderNumber(orderId),
    codeType: CODE_TYPE_LABELS[row.codeType],
    perCodeCents: priced.perCodeCents,
    url: getEnv().publicUrl + paths.codes,
  });
  await queueMail(trx, { dedupeKey: `order-confirmation:${orderId}`, to: user.email, orderId, mail }, now);
  await clearDraft(trx, draft.id, orderId, {});
}

/** Completes an order of codes (`completeDraft`). In: the draft as it was opened, and the invoice step as it was sent. */
export const completeCodePurchase = (
  user: SessionUser,
  open: Draft<CodePurchase>,
  submitted: SubmittedInvoice,
  now = new Date(),
): Promise<number | null> =>
  completeDraft(user.id, open, submitted, async (draft, invoice) => {
    demandShown(submitted, pricedOrder(draft.data).price.netCents, invoice);
    await inTransaction((trx) => storeOrder(trx, user, draft, invoice, now));
  });
