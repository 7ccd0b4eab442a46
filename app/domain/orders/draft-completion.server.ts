import { createHash } from "node:crypto";
import { clearDraft, type Draft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { formatEuro } from "~/lib/money";
import { getDb, type Trx } from "~db/connection.server";
import { lockDraft } from "~db/repositories/drafts.server";
import { findOrderByDraft } from "~db/repositories/orders.server";
import { type InvoiceAddressForm } from "./invoice-address.schema";
import { checkInvoice, saveInvoice, type CheckedInvoice, type WithInvoice } from "./invoice.service.server";
import { notifyCustomer } from "./notification.service.server";
import { type OrderClaim } from "./order-claim";
import { amountsName, vatFor } from "./price.policy";

const changedMeanwhile = () =>
  new PortalError("This order was changed in another window. Please check it and complete it again.", {
    code: "order.changed",
  });

/** Returns the version of the earlier steps that the invoice step shows, a hash. It changes when another window changes those steps. */
export const orderVersion = ({ invoice: _, invoiceBy: __, ...shown }: WithInvoice): string =>
  createHash("sha256").update(JSON.stringify(shown)).digest("base64url");

/** The fields that the form of the invoice step sends. */
export interface SubmittedInvoice {
  typed: Typed;
  form: InvoiceAddressForm;
  /** The `orderVersion` that the page showed. */
  seen: string;
  /** The `amountsName` that the page showed. It is missing when the order did not come from a page. */
  shown?: string;
  /** Whether whoever completes the order accepted the terms with it. Needed only when the order step did not ask them (`lacksTerms`). */
  acceptsTerms?: boolean;
}

/**
 * Throws a PortalError when the page showed other amounts than these. Without scripts the amounts on the page do not follow a change of the
 * country.
 */
export function requireShownAmounts(
  { shown }: Pick<SubmittedInvoice, "shown">,
  netCents: number,
  { country }: CheckedInvoice,
): void {
  const vat = vatFor({ country, netCents, rate: getConfig().vatRate });
  if (shown === undefined || shown === amountsName(netCents, vat)) return;
  const amounts = `net amount ${formatEuro(netCents)}, VAT ${formatEuro(vat.vatCents)}, total ${formatEuro(vat.totalCents)}`;
  throw new PortalError(`The amounts have changed: ${amounts}. Please check them and complete the order again.`, {
    code: "order.amounts",
  });
}

/**
 * Locks the draft until the transaction ends. Returns false when it has become an order already. Throws a PortalError when the draft was
 * changed.
 */
async function holdDraft<Data>(
  trx: Trx,
  userId: number,
  { id, wizard, stored }: Draft<Data>,
  now: Date,
): Promise<boolean> {
  const held = await lockDraft(trx, { id, userId, kind: wizard.kind }, now);
  if (held && held.data !== stored) throw changedMeanwhile();
  return held !== null;
}

/**
 * Returns the claim with which a draft becomes an order.
 *
 * @param begunWith The data with which the draft began.
 */
export const draftClaim = <Data>(userId: number, draft: Draft<Data>, begunWith: object, now: Date): OrderClaim => ({
  hold: (trx) => holdDraft(trx, userId, draft, now),
  settle: (trx, orderId) => clearDraft(trx, draft.id, orderId, begunWith),
});

/**
 * Completes an order. A draft becomes exactly one order, however often and from however many windows this is called. Returns the id of the
 * order, or null when the draft has ended. Throws a PortalError, and stores nothing, when the draft has changed, when the VAT number is not
 * valid, or when a check of `store` fails.
 *
 * @param open The draft as it was opened.
 * @param store Stores the order, all or nothing, and locks the draft (`holdDraft`).
 */
export async function completeDraft<Data extends WithInvoice>(
  userId: number,
  open: Draft<Data>,
  { typed, form, seen }: SubmittedInvoice,
  store: (draft: Draft<Data>, invoice: CheckedInvoice) => Promise<void>,
): Promise<number | null> {
  const findOrder = () => findOrderByDraft(getDb(), open.id, userId);
  const draft = await saveInvoice(userId, open, typed);
  if (draft) {
    if (orderVersion(draft.data) !== seen) throw changedMeanwhile();
    try {
      await store(draft, await checkInvoice(userId, form));
    } catch (error) {
      if (!(await findOrder())) throw error; // The button was pressed twice: the first order is what made the second one fail.
    }
  }
  const order = await findOrder();
  if (order) await notifyCustomer(order.id);
  return order?.id ?? null;
}
