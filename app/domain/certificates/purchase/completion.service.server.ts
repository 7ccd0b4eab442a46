import { type Csr } from "~/ca/csr/read.server";
import { type ConfirmedName } from "~/ca/names/domain-control.server";
import { type SubjectFields } from "~/ca/x509/name.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireMember } from "~/domain/companies/membership.server";
import { type Draft } from "~/domain/drafts/drafts.service.server";
import { recordKeyOfAnother } from "~/domain/keys/key-of-another.server";
import { keyRefusals, requesterOf } from "~/domain/keys/key-rules.server";
import {
  completeDraft,
  requireShownAmounts,
  draftClaim,
  type SubmittedInvoice,
} from "~/domain/orders/draft-completion.server";
import { type InvoiceAddressForm } from "~/domain/orders/invoice-address.schema";
import { checkInvoice, listInvoiceCountries, type CheckedInvoice } from "~/domain/orders/invoice.service.server";
import { type OrderClaim } from "~/domain/orders/order-claim";
import { withinOrderLimit } from "~/domain/orders/order-limit.server";
import { promotionMessages } from "~/domain/orders/promotion.policy";
import { checkPromotion, consumePromotionTry } from "~/domain/orders/promotion.service.server";
import { TERMS_NOT_ACCEPTED } from "~/domain/orders/terms";
import { isPortalError, PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { insertCertificate } from "~db/repositories/certificates.server";
import { insertOrder } from "~db/repositories/orders.server";
import { redeemPromotionCode } from "~db/repositories/promotion-codes.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { holdUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { controlRules } from "../request/confirmed-names.server";
import {
  csrDetailsOf,
  type CsrInput,
  csrVerdict,
  notAccepted,
  readCsrInput,
  refusedCsr,
} from "../request/csr-import.service.server";
import { explainRefusals } from "../request/explained-rules.server";
import { withSubject } from "../request/given-subject.server";
import { limitRulesOfNew } from "../request/issuer-limit-rules.server";
import { judgeUnder, recordUnder } from "../standing/judging.server";
import { type Original } from "../succession/original.server";
import { detailsToBe } from "../succession/renewal-view.server";
import { importOrderCsr, successorRefusals, takenKeyRule } from "../succession/successor-csr.server";
import { CONTACT_REFUSED_AT_THE_END, failedCriteria } from "./contact.policy";
import { type Contact } from "./contact.schema";
import { contactRules, requireContactCountry, staffContactRefusal, technicalContact } from "./contact.service.server";
import { type PurchaseDraft } from "./drafts.schema";
import { priceOf, stepsOf } from "./invoice.service.server";
import { type OpenOrder, whyNotRenewed } from "./open-order.server";
import { type OrderForm } from "./order-form.schema";
import { otherPreparers } from "./preparers.server";
import { lacksTerms } from "./purchase.policy";
import { queueOrderMails, recordPurchase } from "./records.server";
import { certificateRow, orderRow, type Purchase } from "./rows.server";

const refusal = (message: string, code: string, field?: string) => new PortalError(message, { code, field });

/** A checked order. The steps' forms or the JSON call have applied the rules of each field. */
interface Ordered {
  order: OrderForm;
  contact: Contact;
  original: Original | null;
  draft: Draft<PurchaseDraft> | null;
  standingId?: number;
  proved?: readonly ConfirmedName[];
}

/** Checks everything that needs more than the form, outside the transaction. Throws a PortalError that names what is wrong. */
async function preparePurchase(
  user: SessionUser,
  ordered: Ordered,
  csr: Csr,
  invoice: CheckedInvoice,
  now: Date,
): Promise<Purchase> {
  const { order, contact, draft } = ordered;
  const { original } = ordered;
  const broken = [
    ...explainRefusals(await csrVerdict(csr, original?.row.ssid)),
    ...(await controlRules(detailsToBe(csrDetailsOf(csr), original), user.companyId, now)),
  ];
  if (broken.length > 0) throw refusedCsr(notAccepted(broken), { code: "csr" });
  const limits = original ? [] : await limitRulesOfNew(csr, order, now);
  if (limits.length > 0) throw refusedCsr(notAccepted(limits), { code: "csr" });
  const { price, promotion, problem } = await priceOf(order, now);
  if (problem) throw refusal(problem, "promotion-code");
  const failures = failedCriteria(contact.email, await contactRules(user, draft)).map(({ message }) => message);
  if (failures.length > 0) throw refusal([CONTACT_REFUSED_AT_THE_END, ...failures].join(" "), "contact.requirements");
  const staffContact = await staffContactRefusal(contact);
  if (staffContact) throw refusal(`${CONTACT_REFUSED_AT_THE_END} ${staffContact.message}`, staffContact.code);
  const countries = await listInvoiceCountries();
  return {
    userId: user.id,
    companyId: user.companyId,
    draftId: draft?.id ?? null,
    handedOverAt: draft?.handedOverAt ?? null,
    preparers: draft ? await otherPreparers(user, draft) : [],
    technical: await technicalContact(user),
    contactCountry: countries.find(({ id }) => id === contact.country)?.name ?? "",
    csr,
    price,
    promotion,
    ...ordered,
    ...invoice,
    standingId: ordered.standingId ?? null,
    proved: ordered.proved ?? [],
  };
}

/** Checks again, with key and original locked, that the original was not renewed or revoked, nor the key used, since the first check. */
async function requireRenewable(trx: Trx, user: SessionUser, { original, csr }: Purchase, now: Date): Promise<void> {
  if (!original) return;
  const row = await lockCertificate(trx, original.row.id);
  const barrier = row ? await whyNotRenewed(trx, user, row, now) : "The certificate to renew is missing.";
  if (barrier) throw refusal(barrier, "certificate.renew");
  const broken = await successorRefusals(trx, csr, original);
  if (broken.length > 0) throw refusedCsr(notAccepted(broken), { code: "csr" });
}

/**
 * Returns what the standing authorisation says about an order, or null for an order without one. Throws a PortalError when its key is not
 * new, as for a renewal.
 */
async function requireVerdict(trx: Trx, user: SessionUser, purchase: Purchase, now: Date) {
  const { standingId, csr, original } = purchase;
  if (standingId === null) return null;
  const taken = original ? null : await takenKeyRule(trx, csr, user.companyId);
  if (taken) throw refusedCsr(notAccepted([taken]), { code: "csr" });
  return judgeUnder(trx, user, { ...purchase, standingId }, now);
}

/** Returns why the promotion code could not be redeemed: another order was faster, or an administrator withdrew the code. */
const whyNotRedeemed = async (trx: Trx, { promoCode, validityPeriod }: Purchase["order"], now: Date) =>
  (await checkPromotion(trx, promoCode, validityPeriod, now)).problem ?? promotionMessages.used(promoCode);

/**
 * Stores the order, the certificate, the use of the promotion code, the audit entries and the messages, and settles the claim, all in one
 * transaction. Returns the id of the order, or null when the claim already has its order.
 */
async function storePurchase(
  trx: Trx,
  user: SessionUser,
  claim: OrderClaim,
  purchase: Purchase,
  now: Date,
): Promise<number | null> {
  await holdUser(trx, user.id); // before the draft, as an erasure does, which waits for the order or is seen here
  if (!(await claim.hold(trx))) return null;
  await requireMember(trx, user, user, "place-orders");
  await lockKey(trx, purchase.csr.keyIdentity);
  const refusals = await keyRefusals(trx, purchase.csr, user.companyId); // somebody else may have ordered with this key since it was checked
  const isOfAnother = refusals.some(({ code }) => code === "key-of-another");
  if (refusals.length > 0)
    throw refusedCsr(notAccepted(explainRefusals(refusals)), { code: isOfAnother ? "key-of-another" : "csr" });
  await requireRenewable(trx, user, purchase, now);
  const verdict = await requireVerdict(trx, user, purchase, now);
  const orderId = await insertOrder(trx, orderRow(purchase, now));
  if (purchase.promotion && !(await redeemPromotionCode(trx, purchase.promotion.code, orderId, now)))
    throw refusal(await whyNotRedeemed(trx, purchase.order, now), "promotion-code");
  const certificateId = await insertCertificate(trx, {
    ...certificateRow(purchase, orderId, now),
    ...verdict?.checks,
  });
  const ids = { orderId, certificateId };
  await recordPurchase(trx, user, purchase, ids, now);
  if (verdict) await recordUnder(trx, user, verdict, ids, now);
  await queueOrderMails(trx, user, purchase, { ...ids, isWithin: verdict?.whyOutside === null }, now);
  await claim.settle(trx, orderId);
  return orderId;
}

/**
 * Stores an order in one transaction. When another account has started to use the key since the check, this is recorded, as at the import.
 */
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
 * Completes the order of a certificate with the submitted invoice step (`completeDraft`). Returns what `storePurchase` returns. Throws a
 * PortalError, and stores nothing, when the CSR, the contact, the promotion code or the certificate to renew is refused, or when the user
 * has not accepted the terms.
 */
export const completePurchase = (
  user: SessionUser,
  open: OpenOrder,
  invoice: SubmittedInvoice,
  now = new Date(),
): Promise<number | null> =>
  completeDraft(user.id, open.draft, invoice, async (draft, checked) => {
    if (lacksTerms(user.id, draft) && invoice.acceptsTerms !== true)
      throw refusal(TERMS_NOT_ACCEPTED, "order.terms", "termsAndConditionsAccepted");
    const { original } = open;
    const { order, contact } = stepsOf({ draft, original });
    const { read } = readCsrInput(order.csr); // checked at the import; `storePurchase` checks the key again
    if (!read.ok) throw refusal(read.message, "csr");
    const purchase = await preparePurchase(user, { order, contact, original, draft }, read.csr, checked, now);
    requireShownAmounts(invoice, purchase.price.netCents, checked);
    const claim = draftClaim(user.id, draft, { renews: draft.data.renews }, now);
    await withinOrderLimit(user, () => storeOrder(user, claim, purchase, now));
  });

/** An order that arrives in one request. The rules of the steps' forms have been applied. */
export interface WholeOrder extends Omit<Ordered, "draft"> {
  invoice: InvoiceAddressForm;
  /** The subject of the certificate when the CSR does not state it. */
  subject?: SubjectFields | null;
}

/**
 * Throws a PortalError when the CSR and the field state different OFTP IDs. The order step does not ask for an OFTP ID that the CSR states,
 * but a call can send both.
 */
function requireOneOftpId({ csr, order, original }: Purchase): void {
  if (original || csr.ssid === null || order.oftpid === "" || order.oftpid === csr.ssid.toUpperCase()) return;
  const message = `The CSR states another OFTP ID, ${csr.ssid}: leave this one out, or create a CSR with it.`;
  throw refusal(message, "certificate.oftp-id", "oftpid");
}

/** Returns a CSR that was read with this subject in the place of its own, if one is given. */
const withGivenSubject = (input: CsrInput, subject: SubjectFields | null): CsrInput =>
  subject && input.read.ok ? { ...input, read: { ok: true, csr: withSubject(input.read.csr, subject) } } : input;

/**
 * Places an order of one request under a claim. Returns what `storePurchase` returns. Throws what `completePurchase` throws, a PortalError
 * for the field `country`, `vat` or `oftpid`, and a PortalError (429) when the account has tried too many CSRs or promotion codes.
 */
export async function placePurchase(
  user: SessionUser,
  { invoice, subject, ...ordered }: WholeOrder,
  claim: OrderClaim,
  now = new Date(),
): Promise<number | null> {
  await consumePromotionTry(user.id, ordered.order.promoCode);
  await requireContactCountry(ordered.contact);
  const checked = await checkInvoice(user.id, invoice, now);
  const { order, original } = ordered;
  const input = withGivenSubject(readCsrInput(order.csr), subject ?? null);
  const read = await importOrderCsr(input, requesterOf(user), original ?? order);
  if (!read.ok) throw refusedCsr(read, { code: "csr" });
  const purchase = await preparePurchase(user, { ...ordered, draft: null }, read.csr, checked, now);
  requireOneOftpId(purchase);
  return withinOrderLimit(user, () => storeOrder(user, claim, purchase, now));
}
