import { type SessionUser } from "~/domain/accounts/session-user";
import { technicalContact } from "~/domain/certificates/purchase/contact.service.server";
import { listResumable, saveDraft, type Draft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { orderVersion } from "~/domain/orders/draft-completion.server";
import { invoiceForm } from "~/domain/orders/invoice.service.server";
import { codePrice } from "~/domain/orders/price.policy";
import { getConfig } from "~/lib/config.server";
import { CODE_TYPE_LABELS, isCodeType } from "../code-types";
import { codeOrderOf, type CodePurchase } from "./draft.server";
import { DEFAULT_QUANTITY } from "./fields";
import { type CodeOrderForm } from "./order-form.schema";

type CodeDraft = Draft<CodePurchase>;

/** Returns what is ordered in a draft, and for which company: `3 × OSCAR Code Full for Acme GmbH, purchase order number PO-1`. */
export function codeDraftText({ company }: SessionUser, { order = {} }: CodePurchase): string {
  const { productType = "", quantity, purchaseOrderNumber } = order;
  const type = isCodeType(productType) ? CODE_TYPE_LABELS[productType] : "ID codes, no type chosen yet";
  const count = quantity && isCodeType(productType) ? `${quantity} × ` : "";
  return `${count}${type} for ${company}${purchaseOrderNumber ? `, purchase order number ${purchaseOrderNumber}` : ""}`;
}

/** Returns the data of the first step: the user's contact details, and the other orders that can be resumed. */
export async function codeContactStep(user: SessionUser, draft: CodeDraft, now = new Date()) {
  const resumable = draft.data.isConfirmed
    ? []
    : await listResumable(user.id, draft, ({ order }) => order !== undefined, now);
  return {
    technical: await technicalContact(user),
    resumable: resumable.map(({ id, data, updatedAt }) => ({ id, what: codeDraftText(user, data), updatedAt })),
    order: { what: codeDraftText(user, draft.data), updatedAt: draft.updatedAt },
  };
}

export const confirmContact = (userId: number, draft: CodeDraft) =>
  saveDraft(userId, draft, (data) => ({ ...data, isConfirmed: true }));

/** Returns the data of the second step: the typed values, and the price of a code of each type in integer cents. */
export const codeOrderStep = ({ data }: CodeDraft) => ({
  values: { quantity: String(DEFAULT_QUANTITY), ...data.order },
  prices: getConfig().prices.codeCents,
});

export const saveOrder = (userId: number, draft: CodeDraft, typed: Typed) =>
  saveDraft(userId, draft, (data) => ({ ...data, order: typed }));

/** Returns an order with its current price. */
export function withPrice(order: CodeOrderForm) {
  const perCodeCents = getConfig().prices.codeCents[order.productType];
  return { order, perCodeCents, price: codePrice({ perCodeCents, quantity: order.quantity }) };
}

/** Returns the order of the earlier steps with its current price. Throws when those steps are missing. */
export function pricedOrder(data: CodePurchase) {
  const order = codeOrderOf(data);
  if (!order) throw new Error("the order's earlier steps are missing");
  return withPrice(order);
}

/**
 * Returns the data of the third step: the order to review, the invoice address, and what the VAT is calculated from.
 *
 * @param usesLastAddress Whether the form has the address of the user's last order.
 */
export async function codeInvoiceStep(user: SessionUser, draft: CodeDraft, usesLastAddress = false) {
  const { data } = draft;
  return {
    ...(await invoiceForm(user.id, draft, usesLastAddress)),
    ...pricedOrder(data),
    technical: await technicalContact(user),
    version: orderVersion(data),
  };
}
