import { recordAudit } from "~/domain/audit/audit.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { queueMail } from "~/domain/mail/queue.service.server";
import { contactAuthorisationMail, orderConfirmationMail } from "~/domain/mail/templates/orders.server";
import { type InvoiceAddressForm } from "~/domain/orders/invoice-address.schema";
import { notifyCustomer } from "~/domain/orders/notification.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { promotionMessages } from "~/domain/orders/promotion.policy";
import { checkPromotion } from "~/domain/orders/promotion.service.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { insertCertificate } from "~db/repositories/certificates.server";
import { lockDraft } from "~db/repositories/drafts.server";
import { findOrderByDraft, insertOrder } from "~db/repositories/orders.server";
import { redeemPromotionCode } from "~db/repositories/promotion-codes.server";
import { issueToken } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { isAcceptableContactEmail } from "./contact.policy";
import { CONTACT_REFUSED } from "./contact.schema";
import { importCsr, keyRefusals } from "./csr-import.service.server";
import { type PurchaseDraft, type Typed } from "./drafts.schema";
import { clearDraft, type Draft } from "./drafts.service.server";
import { contactRules, technicalContact } from "./purchase-contact.service.server";
import {
  checkInvoice,
  listInvoiceCountries,
  orderVersion,
  pricedOrder,
  saveInvoice,
  type CheckedInvoice,
} from "./purchase-invoice.service.server";
import { certificateRow, orderRow, type Purchase } from "./purchase-rows.server";

const LINK_DAYS = 30;

const changedMeanwhile = () =>
  refusal("This order was changed in another window. Please check it and complete it again.", "order.changed");

const refusal = (message: string, code: string, field?: string) => new PortalError(message, { code, field });

/** Checks everything once more, outside the transaction. Throws a PortalError that names what does not hold any more. */
async function preparePurchase(
  user: SessionUser,
  draft: Draft<PurchaseDraft>,
  invoice: CheckedInvoice,
  now: Date,
): Promise<Purchase> {
  const { order, contact, price, promotion, problem } = await pricedOrder(draft.data, now);
  if (problem) throw refusal(problem, "promotion-code");
  if (!isAcceptableContactEmail(contact.email, contactRules(user)))
    throw refusal(CONTACT_REFUSED, "contact.requirements");
  const read = await importCsr(order.csr);
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
    price,
    promotion,
    ...invoice,
  };
}

/** Queues the customer's confirmation and the authentication contact's single-use link. */
async function queueOrderMails(
  trx: Trx,
  purchase: Purchase,
  ids: { orderId: number; certificateId: number },
  now: Date,
): Promise<void> {
  const { orderId, certificateId } = ids;
  const { technical, contact, order, csr, price } = purchase;
  const { publicUrl } = getEnv();
  const common = {
    orderNumber: orderNumber(orderId),
    commonName: csr.subject.commonName ?? "",
    validityYears: order.validityPeriod,
  };
  const { vatCents, totalCents } = orderRow(purchase, now);
  const confirmation = orderConfirmationMail({
    ...common,
    name: technical.name,
    purchaseOrderNumber: order.purchaseOrderNumber,
    promotionCode: purchase.promotion?.code ?? null,
    discountCents: price.discountCents,
    netCents: price.netCents,
    vatCents: Number(vatCents),
    totalCents: Number(totalCents),
    url: publicUrl + paths.certificateDetails(certificateId),
  });
  const token = await issueToken(
    trx,
    { purpose: "authorise-order", email: contact.email, certificateId, lifetimeMs: LINK_DAYS * DAY },
    now,
  );
  const authorisation = contactAuthorisationMail({
    ...common,
    name: contact.name,
    applicantName: technical.name,
    applicantEmail: technical.email,
    company: technical.company,
    organisation: csr.subject.organisation ?? "",
    alternativeNames: csr.subjectAlternateName.map(({ value }) => value),
    url: publicUrl + paths.authoriseOrder(token),
    validFor: `${LINK_DAYS} days`,
  });
  await queueMail(
    trx,
    { dedupeKey: `order-confirmation:${orderId}`, to: technical.email, orderId, mail: confirmation },
    now,
  );
  await queueMail(
    trx,
    { dedupeKey: `authorisation-request:${certificateId}`, to: contact.email, orderId, mail: authorisation },
    now,
  );
}

async function recordPurchase(
  trx: Trx,
  user: SessionUser,
  purchase: Purchase,
  ids: { orderId: number; certificateId: number },
  now: Date,
) {
  const about = { actor: user.actor, userId: user.id, ...ids };
  const { commonName = "", organisation = "" } = purchase.csr.subject;
  const order = orderNumber(ids.orderId);
  await recordAudit(
    trx,
    {
      ...about,
      event: "order.created",
      message: `Order ${order} placed.`,
      reference: purchase.order.purchaseOrderNumber,
    },
    now,
  );
  const requested = `Certificate for ${commonName}, ${organisation} requested with order ${order}.`;
  await recordAudit(trx, { ...about, event: "certificate.requested", message: requested }, now);
  if (!purchase.promotion) return;
  const redeemed = `Promotion code ${purchase.promotion.code} redeemed with order ${order}.`;
  await recordAudit(
    trx,
    { ...about, event: "promotion-code.redeemed", message: redeemed, reference: purchase.promotion.code },
    now,
  );
}

/** Another order was quicker, or an administrator withdrew the code. */
const whyNotRedeemed = async (trx: Trx, { promoCode, validityPeriod }: Purchase["order"], now: Date) =>
  (await checkPromotion(trx, promoCode, validityPeriod, now)).problem ?? promotionMessages.used(promoCode);

/** All or nothing: order, certificate, promotion code, audit entries, mails, and the end of the draft. A draft that is open no more has its order. */
async function storePurchase(
  trx: Trx,
  user: SessionUser,
  draft: Draft<PurchaseDraft>,
  purchase: Purchase,
  now: Date,
): Promise<void> {
  const held = await lockDraft(trx, { id: draft.id, userId: user.id, kind: draft.wizard.kind }, now);
  if (!held) return;
  if (held.data !== draft.stored) throw changedMeanwhile();
  await lockKey(trx, purchase.csr.keyIdentity);
  const refusals = await keyRefusals(trx, purchase.csr); // somebody else may have ordered with this key since it was checked
  if (refusals.length > 0) throw refusal(refusals.join(" "), "csr");
  const orderId = await insertOrder(trx, orderRow(purchase, now));
  if (purchase.promotion && !(await redeemPromotionCode(trx, purchase.promotion.code, orderId, now)))
    throw refusal(await whyNotRedeemed(trx, purchase.order, now), "promotion-code");
  const certificateId = await insertCertificate(trx, certificateRow(purchase, orderId, now));
  await recordPurchase(trx, user, purchase, { orderId, certificateId }, now);
  await queueOrderMails(trx, purchase, { orderId, certificateId }, now);
  await clearDraft(trx, draft.id, orderId);
}

/**
 * Completes a purchase: a draft becomes one order, however often and from however many places this is called.
 * In: the draft, the invoice address as typed and as validated, and the version of the order that was shown (`orderVersion`). Out: whether there is an order (null: the draft has ended).
 * Throws a PortalError when VAT number, CSR, contact, promotion code or draft do not hold; then nothing is stored.
 */
export async function completePurchase(
  user: SessionUser,
  open: Draft<PurchaseDraft>,
  { typed, form, seen }: { typed: Typed; form: InvoiceAddressForm; seen: string },
  now = new Date(),
): Promise<number | null> {
  const draft = await saveInvoice(user.id, open, typed);
  if (draft) {
    if (orderVersion(draft.data) !== seen) throw changedMeanwhile();
    const invoice = await checkInvoice(form);
    const purchase = await preparePurchase(user, draft, invoice, now);
    await inTransaction((trx) => storePurchase(trx, user, draft, purchase, now));
  }
  const order = await findOrderByDraft(getDb(), open.id, user.id);
  if (order) await notifyCustomer(order.id);
  return order?.id ?? null;
}
