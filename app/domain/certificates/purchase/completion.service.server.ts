import { type Csr } from "~/ca/csr/read.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordKeyOfAnother } from "~/domain/keys/key-of-another.server";
import { keyRefusals, requesterOf } from "~/domain/keys/key-rules.server";
import { completeDraft, demandShown, draftClaim, type SubmittedInvoice } from "~/domain/orders/draft-completion.server";
import { type InvoiceAddressForm } from "~/domain/orders/invoice-address.schema";
import { checkInvoice, listInvoiceCountries, type CheckedInvoice } from "~/domain/orders/invoice.service.server";
import { type OrderClaim } from "~/domain/orders/order-claim";
import { withinOrderLimit } from "~/domain/orders/order-limit.server";
import { promotionMessages } from "~/domain/orders/promotion.policy";
import { checkPromotion } from "~/domain/orders/promotion.service.server";
import { isPortalError, PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { insertCertificate } from "~db/repositories/certificates.server";
import { insertOrder } from "~db/repositories/orders.server";
import { redeemPromotionCode } from "~db/repositories/promotion-codes.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { readCsrInput, refusedCsr } from "../request/csr-import.service.server";
import { type Original } from "../succession/original.server";
import { importOrderCsr, successorRefusal } from "../succession/successor-csr.server";
import { CONTACT_REFUSED, failedCriteria } from "./contact.policy";
import { type Contact } from "./contact.schema";
import { contactRules, demandContactCountry, technicalContact } from "./contact.service.server";
import { priceOf, stepsOf } from "./invoice.service.server";
import { type OpenOrder, whyNotRenewed } from "./open-order.server";
import { type OrderForm } from "./order-form.schema";
import { queueOrderMails, recordPurchase } from "./records.server";
import { certificateRow, orderRow, type Purchase } from "./rows.server";

const refusal = (message: string, code: string, field?: string) => new PortalError(message, { code, field });

/** What is ordered, as steps or call had it checked by the rules of their forms. */
interface Ordered {
  order: OrderForm;
  contact: Contact;
  original: Original | null;
  draftId: string | null;
}

/** Checks everything that needs more than the form, outside the transaction. Throws a PortalError that names what does not hold. */
async function preparePurchase(
  user: SessionUser,
  ordered: Ordered,
  csr: Csr,
  invoice: CheckedInvoice,
  now: Date,
): Promise<Purchase> {
  const { order, contact } = ordered;
  const { price, promotion, problem } = await priceOf(order, now);
  if (problem) throw refusal(problem, "promotion-code");
  const failures = failedCriteria(contact.email, contactRules(user)).map(({ message }) => message);
  if (failures.length > 0) throw refusal([CONTACT_REFUSED, ...failures].join(" "), "contact.requirements");
  const countries = await listInvoiceCountries();
  return {
    userId: user.id,
    technical: await technicalContact(user.id),
    contactCountry: countries.find(({ id }) => id === contact.country)?.name ?? "",
    csr,
    price,
    promotion,
    ...ordered,
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

/** All or nothing: order, certificate, promotion code, audit entries, mails, and the end of the claim. Out: the order's id; null when the claim has its order. */
async function storePurchase(
  trx: Trx,
  user: SessionUser,
  claim: OrderClaim,
  purchase: Purchase,
  now: Date,
): Promise<number | null> {
  if (!(await claim.hold(trx))) return null;
  await lockKey(trx, purchase.csr.keyIdentity);
  const refusals = await keyRefusals(trx, purchase.csr, user.id); // somebody else may have ordered with this key since it was checked
  const isOfAnother = refusals.some(({ code }) => code === "key-of-another");
  if (refusals.length > 0)
    throw refusal(refusals.map(({ message }) => message).join(" "), isOfAnother ? "key-of-another" : "csr");
  await demandRenewable(trx, user, purchase, now);
  const orderId = await insertOrder(trx, orderRow(purchase, now));
  if (purchase.promotion && !(await redeemPromotionCode(trx, purchase.promotion.code, orderId, now)))
    throw refusal(await whyNotRedeemed(trx, purchase.order, now), "promotion-code");
  const certificateId = await insertCertificate(trx, certificateRow(purchase, orderId, now));
  await recordPurchase(trx, user, purchase, { orderId, certificateId }, now);
  await queueOrderMails(trx, user, purchase, { orderId, certificateId }, now);
  await claim.settle(trx, orderId);
  return orderId;
}

/** Stores an order in one transaction. A key that another account got meanwhile is recorded, as at the import. */
async function storeOrder(user: SessionUser, claim: OrderClaim, purchase: Purchase, now: Date): Promise<number | null> {
  try {
    return await inTransaction((trx) => storePurchase(trx, user, claim, purchase, now));
  } catch (error) {
    if (isPortalError(error) && error.code === "key-of-another")
      await recordKeyOfAnother(purchase.csr.keyIdentity, requesterOf(user), now);
    throw error;
  }
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
    const { original } = open;
    const { order, contact } = stepsOf({ draft, original });
    const { read } = readCsrInput(order.csr); // it was checked when it was imported; its key is again, under its lock
    if (!read.ok) throw refusal(read.message, "csr");
    const purchase = await preparePurchase(
      user,
      { order, contact, original, draftId: draft.id },
      read.csr,
      checked,
      now,
    );
    demandShown(invoice, purchase.price.netCents, checked);
    const claim = draftClaim(user.id, draft, { renews: draft.data.renews }, now);
    await withinOrderLimit(user, () => storeOrder(user, claim, purchase, now));
  });

/** An order that comes in one request, checked by the rules of the steps' forms. */
export interface WholeOrder extends Omit<Ordered, "draftId"> {
  invoice: InvoiceAddressForm;
}

/** The steps' page asks for no OFTP ID where the CSR states one; whoever sends both must mean the same. */
function demandOneOftpId({ csr, order, original }: Purchase): void {
  if (original || csr.ssid === null || order.oftpid === "" || order.oftpid === csr.ssid.toUpperCase()) return;
  const message = `The CSR states another OFTP ID, ${csr.ssid}: leave this one out, or create a CSR with it.`;
  throw refusal(message, "certificate.oftp-id", "oftpid");
}

/**
 * Places such an order under a claim. Out and throws: as `storePurchase` and `completePurchase`, and a PortalError at `country`, `vat` or
 * `oftpid`.
 */
export async function placePurchase(
  user: SessionUser,
  { invoice, ...ordered }: WholeOrder,
  claim: OrderClaim,
  now = new Date(),
): Promise<number | null> {
  await demandContactCountry(ordered.contact);
  const checked = await checkInvoice(user.id, invoice, now);
  const read = await importOrderCsr(readCsrInput(ordered.order.csr), requesterOf(user), ordered.original);
  if (!read.ok) throw refusedCsr(read, { code: "csr" });
  const purchase = await preparePurchase(user, { ...ordered, draftId: null }, read.csr, checked, now);
  demandOneOftpId(purchase);
  return withinOrderLimit(user, () => storeOrder(user, claim, purchase, now));
}
