import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { recipientFor } from "~/domain/companies/recipient.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { codesAvailableMail, type OrderedCodesData } from "~/domain/mail/templates/code-orders.server";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { addAvailableCodes, withdrawAvailableCodes } from "~db/repositories/available-codes.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { type UserRow } from "~db/repositories/users.server";
import { type CodeOrder, codesText, sellsCodes } from "./customer-note";
import { orderNumber } from "./order-number";
import { CODES_REGISTERED } from "./sales-order-fields";

function orderedCodes(owner: UserRow, { id: orderId, codeType, numberOfCodes, purchaseOrderNumber }: CodeOrder) {
  const data: OrderedCodesData = {
    name: `${owner.firstName} ${owner.lastName}`,
    orderNumber: orderNumber(orderId),
    purchaseOrderNumber,
    codeType: CODE_TYPE_LABELS[codeType],
    numberOfCodes,
    url: getEnv().publicUrl + paths.codes,
  };
  return data;
}

async function makeAvailable(trx: Trx, order: CodeOrder, now: Date): Promise<void> {
  const { id: orderId, userId, companyId, codeType, numberOfCodes } = order;
  await addAvailableCodes(trx, { orderId, userId, companyId, codeType, quantity: numberOfCodes, createdAt: now });
  const owner = await recipientFor(trx, order);
  const mail = codesAvailableMail(orderedCodes(owner, order));
  // The timestamp gives a second message a key of its own, when the payment was withdrawn and the order is paid again.
  const dedupeKey = `codes-available:${orderId}:${order.updatedAt}` as const;
  await queueOwnMail(trx, owner.id, { dedupeKey, orderId, mail }, now);
}

/**
 * Makes the codes of an order available, or withdraws them, after the order's status was stored (CPO-04). When the order has become Paid,
 * the codes become available and the owner gets a message. When it is no longer Paid, they are withdrawn. Returns a text that says what was
 * done, or "". Throws a PortalError for the field `status` when codes that must be withdrawn have been registered.
 *
 * @param before The order before the change.
 */
export async function followPayment(trx: Trx, before: OrderRow, now: Date): Promise<string> {
  const order = await findOrder(trx, before.id); // The order is locked, so a merge of accounts cannot change its owner now.
  const wasPaid = before.status === "Paid";
  if (!order || !sellsCodes(order) || wasPaid === (order.status === "Paid")) return "";
  const codes = codesText(order);
  if (!wasPaid) {
    await makeAvailable(trx, order, now);
    return `${codes} available.`;
  }
  if (!(await withdrawAvailableCodes(trx, order.id, order.numberOfCodes)))
    throw new PortalError(CODES_REGISTERED, { code: "order.update", field: "status" });
  return `${codes} not available any more.`;
}
