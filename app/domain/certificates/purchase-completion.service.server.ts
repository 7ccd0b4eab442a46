import { type SessionUser } from "~/domain/accounts/session-user";
import { clearDraft } from "~/domain/drafts/drafts.service.server";
import { keyRefusals } from "~/domain/keys/key-rules.server";
import { completeDraft, holdDraft, type SubmittedInvoice } from "~/domain/orders/draft-completion.server";
import { listInvoiceCountries, type CheckedInvoice } from "~/domain/orders/invoice.service.server";
import { promotionMessages } from "~/domain/orders/promotion.policy";
import { checkPromotion } from "~/domain/orders/promotion.service.server";
import { PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { insertCertificate } from "~db/repositories/certificates.server";
import { insertOrder } from "~db/repositories/orders.server";
import { redeemPromotionCode } from "~db/repositories/promotion-codes.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { isAcceptableContactEmail } from "./contact.policy";
import { CONTACT_REFUSED } from "./contact.schema";
import { type OpenOrder, whyNotRenewed } from "./open-order.server";
import { contactRules, technicalContact } from "./purchase-contact.service.server";
import { pricedOrder } from "./purchase-invoice.service.server";
import { queueOrderMails, recordPurchase } from "./purchase-records.server";
import { certificateRow, orderRow, type Purchase } from "./purchase-rows.server";
import { importOrderCsr, successorRefusal } from "./successor-csr.server";

const refusal = (message: string, code: string, field?: string) => new PortalError(message, { code, field });

/** Checks everything once more, outside the transaction. Throws a PortalError that names what does not hold any more. */
async function preparePurchase(
  user: SessionUser,
  open: OpenOrder,
  invoice: CheckedInvoice,
  now: Date,
): Promise<Purchase> {
  const { draft, original } = open;
  const { order, contact, price, promotion, problem } = await pricedOrder(open, now);
  if (problem) throw refusal(problem, "promotion-code");
  if (!isAcceptableContactEmail(contact.email, contactRules(user)))
    throw refusal(CONTACT_REFUSED, "contact.requirements");
  const read = await importOrderCsr(order.csr, original);
  if (!read.ok) throw refusal(read.messages.join(" "), "csr");
  const countries = await listInvoiceCountries();
  return {
    userId: user.id,
    draftId: draft.id,
    technical: await technicalContact(user.id),
    contact,
    contactCountry: countries.find(({ id }) => id === contact.country)?.name ?? "",
    order,
    csr: read.csr,
    original,
    price,
    promotion,
    ...invoice,
  };
}

/** Under the locks of key and original: neither was renewed, revoked or used since it was checked. */
async function demandRenewable(trx: Trx, user: SessionUser, { original, csr }: Purchase, now: Date): Promise<void> {
  if (!original) return;
  const row = await lockCertificate(trx, original.row.id);
  const barrier = row ? await whyNotRenewed(trx, user, row, now) : "The certificate to renew is missing.";
  if (barrier) throw refusal(barrier, "certificate.renew");
  const problem = await successorRefusal(trx, csr, original);
  if (problem) throw refusal(problem, "csr");
}

/** Another order was quicker, or an administrator withdrew the code. */
const whyNotRedeemed = async (trx: Trx, { promoCode, validityPeriod }: Purchase["order"], now: Date) =>
  (await checkPromotion(trx, promoCode, validityPeriod, now)).problem ?? promotionMessages.used(promoCode);

/** All or nothing: order, certificate, promotion code, audit entries, mails, and the end of the draft. A draft that is open no more has its order. */
async function storePurchase(
  trx: Trx,
  user: SessionUser,
  { draft }: OpenOrder,
  purchase: Purchase,
  now: Date,
): Promise<void> {
  if (!(await holdDraft(trx, user.id, draft, now))) return;
  await lockKey(trx, purchase.csr.keyIdentity);
  const refusals = await keyRefusals(trx, purchase.csr); // somebody else may have ordered with this key since it was checked
  if (refusals.length > 0) throw refusal(refusals.map(({ message }) => message).join(" "), "csr");
  await demandRenewable(trx, user, purchase, now);
  const orderId = await insertOrder(trx, orderRow(purchase, now));
  if (purchase.promotion && !(await redeemPromotionCode(trx, purchase.promotion.code, orderId, now)))
    throw refusal(await whyNotRedeemed(trx, purchase.order, now), "promotion-code");
  const certificateId = await insertCertificate(trx, certificateRow(purchase, orderId, now));
  await recordPurchase(trx, user, purchase, { orderId, certificateId }, now);
  await queueOrderMails(trx, purchase, { orderId, certificateId }, now);
  const { renews } = draft.data;
  await clearDraft(trx, draft.id, orderId, { renews });
}

/**
 * Completes an order of a certificate (`completeDraft`). In: the order as it was opened, and the invoice step as it was sent.
 * Throws a PortalError when CSR, contact, promotion code or the certificate to renew do not hold either; then nothing is stored.
 */
export const completePurchase = (
  user: SessionUser,
  open: OpenOrder,
  invoice: SubmittedInvoice,
  now = new Date(),
): Promise<number | null> =>
  completeDraft(user.id, open.draft, invoice, async (draft, checked) => {
    const current = { ...open, draft };
    const purchase = await preparePurchase(user, current, checked, now);
    await inTransaction((trx) => storePurchase(trx, user, current, purchase, now));
  });
