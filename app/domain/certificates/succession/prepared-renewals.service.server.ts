import { createHash } from "node:crypto";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { requireMember } from "~/domain/companies/membership.server";
import { mayAsMember, rolesFor } from "~/domain/companies/roles.policy";
import { type Draft, loadDraft, newDraftId, storeDraft } from "~/domain/drafts/drafts.service.server";
import { type Typed } from "~/domain/drafts/typed-values";
import { requesterOf } from "~/domain/keys/key-rules.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { preparedRenewalMail } from "~/domain/mail/templates/companies.server";
import { orderVersion } from "~/domain/orders/draft-completion.server";
import { type InvoiceAddressForm } from "~/domain/orders/invoice-address.schema";
import { checkInvoice, invoiceFor } from "~/domain/orders/invoice.service.server";
import { findSentKey, type OrderKey, takeKey } from "~/domain/orders/keyed-order.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { notFound, PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { findCertificate } from "~db/repositories/certificates.server";
import { lockDraft, updateDraft } from "~db/repositories/drafts.server";
import { listMembers, lockCompany } from "~db/repositories/members.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { completePurchase } from "../purchase/completion.service.server";
import { type Contact } from "../purchase/contact.schema";
import { requireContact } from "../purchase/contact.service.server";
import { type PurchaseDraft } from "../purchase/drafts.schema";
import { findOpenOrder, type OpenOrder } from "../purchase/open-order.server";
import { preparerNames, preparersOf } from "../purchase/preparers.server";
import { hasStateFor } from "../purchase/purchase.policy";
import { renewalWizard } from "../purchase/wizards.server";
import { readCsrInput, refusedCsr } from "../request/csr-import.service.server";
import { normaliseCsrText } from "../request/csr-text";
import { whyRenewalEnded } from "./ended-renewals.server";
import { listHandedOverRenewals, requireNotPrepared } from "./handed-over.server";
import { type Original } from "./original.server";
import { importOrderCsr } from "./successor-csr.server";

/** A renewal that a colleague has prepared and handed over. */
export interface PreparedRenewal {
  draftId: string;
  certificateId: number;
  commonName: string;
  /** The names of those who have prepared it (`preparerNames`). */
  by: string;
  /** An ISO timestamp. */
  at: string;
  /** When the draft ends, an ISO timestamp. */
  until: string;
}

/** A prepared renewal with the order whose certificate is renewed and with what was filled in. The invoice address is that of whoever asks. */
export interface PreparedOrder extends PreparedRenewal {
  orderId: number;
  data: PurchaseDraft;
}

/** Throws a PortalError (403) when the user may not prepare renewals. Waits for a removal of the user, which ends what was handed over before. */
async function requirePreparer(trx: Trx, user: SessionUser, now: Date): Promise<void> {
  await lockCompany(trx, user.companyId, now);
  await requireMember(trx, user, user, "prepare-renewals");
}

/**
 * Hands a draft over to the owners and purchasers of the company, with a message to each of them. They find it with their certificates for
 * seven days. Returns to how many of them the message goes.
 */
async function handOver(trx: Trx, user: SessionUser, draftId: string, { row }: Original, now: Date): Promise<number> {
  await lockCertificate(trx, row.id); // so that two people who prepare the same renewal at once see each other
  await requireNotPrepared(trx, user, row.id, { draftId, now });
  await updateDraft(trx, draftId, { handedOverAt: now, expiresAt: new Date(now.getTime() + 7 * DAY) });
  const { id: certificateId, orderId, commonName } = row;
  const members = await listMembers(trx, user.companyId);
  const told = members.filter(
    ({ id, role, isDisabled }) => id !== user.id && rolesFor("place-orders").includes(role) && !isDisabled,
  );
  const url = getEnv().publicUrl + paths.certificateWizard("renew", "invoice-address", draftId);
  const by = preparerNames([{ ...user, userId: user.id, impersonatorId: user.impersonator?.id ?? null }]);
  for (const { id, firstName } of told) {
    const mail = preparedRenewalMail({ name: firstName, company: user.company, commonName, by, url });
    await queueOwnMail(trx, id, { dedupeKey: `renewal-prepared:${draftId}:${id}:${now.getTime()}`, mail }, now);
  }
  const entry = { event: "renewal.prepared", message: `Prepared the renewal of ${commonName} for a colleague.` };
  const about = { userId: user.id, certificateId, orderId, reference: draftId };
  await recordAudit(trx, { actor: user.actor, ...entry, ...about }, now);
  return told.length;
}

/**
 * Hands a renewal over that was prepared on the pages (`handOver`), in one transaction. Throws a PortalError (403) when the user's role does
 * not allow it, and (422) when the draft has ended.
 */
export const handOverRenewal = (user: SessionUser, { draft, original }: OpenOrder, now = new Date()): Promise<number> =>
  inTransaction(async (trx) => {
    await requirePreparer(trx, user, now);
    const held = await lockDraft(trx, { id: draft.id, userId: user.id, kind: draft.wizard.kind }, now);
    if (!held || !original) throw new PortalError("This renewal was completed already.", { code: "certificate.renew" });
    return handOver(trx, user, draft.id, original, now);
  });

async function toPrepared(
  user: SessionUser,
  draft: Pick<Draft<PurchaseDraft>, "id" | "userId" | "data" | "handedOverAt" | "expiresAt">,
): Promise<PreparedOrder | null> {
  const { id: draftId, handedOverAt, expiresAt: until } = draft;
  const data = { ...draft.data, invoice: await invoiceFor(user.id, draft) };
  const row = data.renews === undefined ? null : await findCertificate(getDb(), data.renews);
  if (!row) return null;
  const by = preparerNames(await preparersOf(getDb(), draft));
  const { id: certificateId, orderId, commonName } = row;
  return { draftId, certificateId, orderId, commonName, by, at: handedOverAt ?? "", until, data };
}

/**
 * Returns the renewals that were handed over and wait, latest first: all of the company for a user who may complete them, for others those
 * that they have prepared.
 */
export async function listPreparedOrders(user: SessionUser, now = new Date()): Promise<PreparedOrder[]> {
  const open = await listHandedOverRenewals(getDb(), user.companyId, now);
  const shown = mayAsMember(user, "place-orders") ? open : open.filter(({ userId }) => userId === user.id);
  return (await Promise.all(shown.map((row) => toPrepared(user, row)))).filter((one) => one !== null);
}

/** Returns what `listPreparedOrders` returns, without what was filled in. */
export const listPreparedRenewals = async (user: SessionUser): Promise<PreparedRenewal[]> =>
  (await listPreparedOrders(user)).map(({ orderId: _, data: __, ...renewal }) => renewal);

/** A renewal that arrives in one request: the checked forms of the steps, and what their drafts keep. */
export interface WholeRenewal {
  original: Original;
  contact: Contact;
  /** That of whoever prepares, if there is one. Whoever orders the renewal gives an invoice address of their own. */
  invoice: InvoiceAddressForm | undefined;
  typed: Required<Pick<PurchaseDraft, "contact" | "order">> & Pick<PurchaseDraft, "invoice">;
}

/** Returns the id of the draft that is prepared under a key. It is known again when the request is repeated. */
const draftIdUnder = ({ userId, keyHash }: OrderKey): string =>
  createHash("sha256").update(`prepared renewal ${userId} ${keyHash}`).digest().subarray(0, 16).toString("base64url");

/** Checks the renewal as its order will be checked, and stores its draft, handed over, in one transaction. */
async function storePrepared(
  user: SessionUser,
  { original, contact, invoice, typed }: WholeRenewal,
  { id, key }: { id: string; key: OrderKey | null },
  now: Date,
): Promise<void> {
  await requireContact(contact);
  if (invoice) await checkInvoice(user.id, invoice, now);
  const csr = typed.order.csr ?? "";
  const read = await importOrderCsr(readCsrInput(csr), requesterOf(user), original);
  if (!read.ok) throw refusedCsr(read, { code: "csr" });
  const imported = { csr: normaliseCsrText(csr), details: read.details };
  await inTransaction(async (trx) => {
    if (key && !(await takeKey(trx, key, now))) return;
    await requirePreparer(trx, user, now);
    const data = renewalWizard.schema.parse({ ...typed, imported, invoiceBy: user.id, renews: original.row.id });
    await storeDraft(trx, renewalWizard, { id, userId: user.id, data }, now);
    await handOver(trx, user, id, original, now);
  });
}

/**
 * Prepares a renewal that comes in one request, for colleagues who complete it. With a key it is prepared once, however often it is sent.
 * Throws a PortalError when a check of the order fails, (403) when the role does not allow it, and when the key was sent with another
 * request.
 *
 * @param check Returns the checked renewal. It is not called for a request that was answered before.
 */
export async function prepareRenewal(
  user: SessionUser,
  key: OrderKey | null,
  check: () => Promise<WholeRenewal>,
  now = new Date(),
): Promise<PreparedOrder> {
  const id = key ? draftIdUnder(key) : newDraftId();
  if (!key || !(await findSentKey(key))) await storePrepared(user, await check(), { id, key }, now);
  if (key) await findSentKey(key); // another request may have taken it in the meantime
  const draft = await loadDraft(renewalWizard, user.id, id, now);
  const prepared = draft && (await toPrepared(user, draft));
  if (!prepared) throw notFound();
  return prepared;
}

const ENDED = "This renewal cannot be completed as it was prepared. Check it on its page, or prepare it again.";

/** Returns the error for a renewal that is missing or somebody else's (404), or that has ended because its preparer has left. */
async function noRenewal(user: SessionUser, draftId: string): Promise<PortalError> {
  const why = await whyRenewalEnded(user, draftId);
  return why === null ? notFound() : new PortalError(why, { code: "certificate.renew" });
}

/**
 * Orders a renewal that a colleague has prepared. It becomes one order, however often this is called. Returns the id of the order. Throws a
 * PortalError (404) when no such renewal was handed over in the company, and otherwise what `completePurchase` throws.
 *
 * @param typedFor Returns the invoice address, typed and checked. It gets that of the user's account.
 */
export async function completePrepared(
  user: SessionUser,
  draftId: string,
  typedFor: (own: Typed) => { typed: Typed; form: InvoiceAddressForm; acceptsTerms: boolean },
  now = new Date(),
): Promise<number> {
  const load = () => loadDraft(renewalWizard, user.id, draftId, now);
  const draft = await load();
  if (!draft || draft.handedOverAt === null) throw await noRenewal(user, draftId);
  if (draft.orderId !== null) return draft.orderId;
  try {
    const open = await findOpenOrder(user, draft, now);
    const isComplete = open !== null && hasStateFor("invoice-address", draft.data, open.original);
    if (!isComplete || open.barrier) throw new PortalError(open?.barrier ?? ENDED, { code: "certificate.renew" });
    const invoice = typedFor(await invoiceFor(user.id, draft));
    const orderId = await completePurchase(user, open, { ...invoice, seen: orderVersion(draft.data) }, now);
    if (orderId === null && !(await load())) throw await noRenewal(user, draftId);
    if (orderId === null) throw new PortalError(ENDED, { code: "certificate.renew" });
    return orderId;
  } catch (error) {
    const done = (await load())?.orderId; // a colleague may have been faster
    if (done) return done;
    throw error;
  }
}
