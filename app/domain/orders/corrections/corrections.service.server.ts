import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireMember } from "~/domain/companies/membership.server";
import { hiddenFrom } from "~/domain/security-events/hidden.server";
import { notFound, PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { getDb, type Trx } from "~db/connection.server";
import { storeCorrectedContacts } from "~db/repositories/certificates.server";
import { findOrder, storeCorrectedOrder } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { invoiceNumber, parseInvoiceContent } from "../invoices/invoice-content";
import { getInvoiceFile } from "../invoices/invoice-file.service.server";
import { creditInvoice, currentInvoice, issueDueInvoices, type Issued } from "../invoices/issue-invoice.server";
import { partOfOrder, shareOf } from "../invoices/monthly-draft.server";
import { type OrderClaim, unclaimed } from "../order-claim";
import { orderNumber } from "../order-number";
import { type Correction, correctionNumber } from "./correction";
import { queueCorrectionMail, queueMissedDocument } from "./correction-mail.server";
import { correctedInvoiceEmail, type CorrectionPlan, planCorrection, statedFields } from "./correction-plan.server";
import {
  correctableOf,
  type CorrectionState,
  findCorrectionState,
  lockCorrectionState,
  correctionVersionOf,
} from "./correction-state.server";
import { whyNotCorrect } from "./corrections.policy";
import { effectTexts } from "./effect-texts";
import { recordCorrection } from "./record.server";
import { checkTyped, type TypedCorrection } from "./typed-correction.server";

/** The code of a refusal because an order cannot be corrected now. */
const NOT_NOW = "correction.not-now";

const notNow = (message: string) => new PortalError(message, { code: NOT_NOW, status: 409 });

/** Returns the labels of what differs from what is stored, with the stored values. */
const storedTexts = (changes: readonly Correction[]) =>
  changes.map(({ label, from }) => `${label} ('${from}')`).join(", ");

const changedMeanwhile = (changes: readonly Correction[]) =>
  new PortalError(
    `Nothing was corrected: the order was changed meanwhile, by somebody else or in another window. Your form differs from what is stored now in: ${storedTexts(changes)}. Check it and send it again.`,
    { code: "correction.changed-meanwhile", status: 409 },
  );

const nothingChanged = () =>
  new PortalError("You changed nothing, so there is nothing to correct.", { code: "correction.nothing" });

/**
 * Returns what is stored about an order that the user wants to correct. Throws a PortalError (404) when there is no such order or it belongs to
 * another company than the one in which the user works.
 */
export async function getCorrectionState(user: SessionUser, orderId: number): Promise<CorrectionState> {
  const state = await findCorrectionState(getDb(), orderId);
  if (!state) throw notFound();
  if (!maySee(user, state.order)) throw hiddenFrom(user);
  if (state.order.companyId !== user.companyId) throw notFound();
  return state;
}

/** Throws a PortalError (409) that says why the order cannot be corrected now. */
export function requireCorrectableOrder(state: CorrectionState, now: Date): void {
  const barrier = whyNotCorrect(correctableOf(state), now);
  if (barrier !== null) throw notNow(barrier);
}

/** What a correction would do, for the page that asks. */
export interface CorrectionPreview {
  changes: readonly Correction[];
  /** What happens, in sentences. */
  effects: readonly string[];
  replacesInvoice: boolean;
}

function previewOf({ order, invoices }: CorrectionState, plan: CorrectionPlan): CorrectionPreview {
  const { replaced } = plan;
  const current = currentInvoice(invoices);
  const totalAfter = plan.order?.totalCents ?? order.totalCents;
  const effects = effectTexts({
    replaced: replaced && partOfOrder(replaced),
    invoice: current ? invoiceNumber(current) : order.invoiceNumber,
    sentTo: (current && correctedInvoiceEmail(plan.changes)) || null,
    order,
    totalBefore: order.totalCents,
    totalAfter,
    isContacts: plan.order === null,
  });
  return { changes: plan.changes, effects, replacesInvoice: replaced !== null };
}

/** Throws a PortalError when a correction changes nothing, the order cannot be corrected now, or the form shows an older state of it. */
function requireCurrent(state: CorrectionState, { changes }: CorrectionPlan, seen: string | null, now: Date): void {
  if (changes.length === 0) throw nothingChanged();
  requireCorrectableOrder(state, now);
  if (seen !== null && seen !== correctionVersionOf(state)) throw changedMeanwhile(changes);
}

/** What was sent to correct an order. */
interface Sending {
  typed: TypedCorrection;
  /** The version of the order that the form showed (`correctionVersionOf`), or null when none was sent. */
  seen: string | null;
  claim?: OrderClaim;
}

const VAT_NOT_STORED = "The VAT number that you typed is not stored: an invoice to this country has none.";

/**
 * Returns what a correction would do, and stores nothing. Throws a PortalError for what `correctOrder` refuses.
 *
 * @param typedVat The VAT number as it was typed, also where it does not count.
 */
export async function previewCorrection(
  user: SessionUser,
  orderId: number,
  { typed, seen, typedVat = "" }: Pick<Sending, "typed" | "seen"> & { typedVat?: string | undefined },
  now = new Date(),
): Promise<CorrectionPreview> {
  const state = await getCorrectionState(user, orderId);
  const plan = planCorrection(state, await checkTyped(user.id, state, typed, now));
  requireCurrent(state, plan, seen, now);
  const preview = previewOf(state, plan);
  const isIgnored = typed.invoice?.vat === "" && typedVat.trim() !== "";
  return isIgnored ? { ...preview, effects: [...preview.effects, VAT_NOT_STORED] } : preview;
}

/** Credits the invoice that a correction replaces, and issues the new one. */
async function replaceInvoice(trx: Trx, user: SessionUser, plan: CorrectionPlan, now: Date) {
  const { replaced, changes } = plan;
  if (!replaced) return { creditNote: null, invoice: null };
  const { orderId, id: invoiceId } = replaced;
  const { isPart } = partOfOrder(replaced);
  const said = shareOf(parseInvoiceContent(replaced.content), [orderNumber(orderId)]);
  const reason = `Replaced by a corrected invoice. Corrected: ${statedFields(changes)}.`;
  const creditNote = await creditInvoice(trx, { orderId, invoiceId, reason }, user.actor, now);
  const taxPoint = said.taxPoint ?? said.issuedAt.slice(0, 10);
  const { number, issuedAt } = said;
  const replaces = creditNote && { number, issuedAt, creditNote: creditNote.number, ...(isPart && { isPart }) };
  const replacing = { taxPoint, ...(replaces && { replaces }) };
  const issued = await issueDueInvoices(trx, [{ orderId, actor: user.actor, replacing }], now);
  return { creditNote, invoice: issued.get(orderId) ?? null };
}

/** A correction that was made. */
export interface CorrectionMade {
  /** Such as "COR-2026-0001". */
  number: string;
  creditNote: Issued | null;
  invoice: Issued | null;
  /** What happened, in sentences. */
  effects: readonly string[];
}

async function store(
  trx: Trx,
  user: SessionUser,
  { state, plan }: { state: CorrectionState; plan: CorrectionPlan },
  now: Date,
): Promise<CorrectionMade> {
  const { order, certificate } = state;
  const { changes } = plan;
  const version = { id: order.id, seen: order.updatedAt };
  if (plan.order && !(await storeCorrectedOrder(trx, version, plan.order, now))) throw changedMeanwhile(changes);
  if (plan.contacts && certificate) await storeCorrectedContacts(trx, certificate.id, plan.contacts, now);
  const { creditNote, invoice } = await replaceInvoice(trx, user, plan, now);
  const { effects, replacesInvoice } = previewOf(state, plan);
  const issued = [creditNote && `Credit note ${creditNote.number}`, invoice && `invoice ${invoice.number}`].filter(
    Boolean,
  );
  const number = await recordCorrection(
    trx,
    user,
    {
      order,
      ofCertificateId: certificate?.id ?? null,
      kind: replacesInvoice ? "invoice" : "order",
      changes,
      creditNoteId: creditNote?.id ?? null,
      invoiceId: invoice?.id ?? null,
      outcome: issued.length > 0 ? `${issued.join(" and ")} ${issued.length > 1 ? "were" : "was"} issued.` : "",
    },
    now,
  );
  const corrected = (await findOrder(trx, order.id)) ?? order;
  const isPart = plan.replaced !== null && partOfOrder(plan.replaced).isPart;
  const correction = { number, changes, effects, isInvoiceNew: invoice !== null, isPart };
  await queueCorrectionMail(trx, corrected, correction, now);
  if (correctedInvoiceEmail(changes) !== null)
    await queueMissedDocument(trx, state, { corrected, creditNoteId: creditNote?.id ?? null }, now);
  return { number, creditNote, invoice, effects };
}

/** Makes the PDFs of what was issued at once. When that fails, the job makes them later. */
async function makeFiles({ creditNote, invoice }: CorrectionMade, now: Date): Promise<void> {
  for (const document of [creditNote, invoice]) if (document) await getInvoiceFile(document.id, now).catch(logError);
}

/** Returns the number of the last correction when the same form was sent before and has made the order what it is. Otherwise null. */
function sentBefore(state: CorrectionState, { changes }: CorrectionPlan, seen: string | null): string | null {
  const last = state.corrections.at(-1);
  if (!last || changes.length > 0 || seen === null || seen === correctionVersionOf(state)) return null;
  return correctionNumber(last);
}

/**
 * Corrects an order: stores what differs, replaces its invoice by a credit note and a new one when the invoice states what differs, and
 * records the correction with its number, audit entries and messages, all in one transaction. The same form sent again changes nothing and
 * returns the number of the first correction.
 *
 * Returns null when the claim was used before. Throws a PortalError (404) for an order of others, (403) when the role does not allow it, (409)
 * when the order cannot be corrected now or was changed since the form was opened, and a PortalError that says what else is wrong.
 */
export async function correctOrder(
  user: SessionUser,
  orderId: number,
  { typed, seen, claim = unclaimed }: Sending,
  now = new Date(),
): Promise<CorrectionMade | null> {
  const wanted = await checkTyped(user.id, await getCorrectionState(user, orderId), typed, now);
  const made = await inTransaction(async (trx) => {
    if (!(await claim.hold(trx))) return null;
    const state = await lockCorrectionState(trx, orderId);
    await requireMember(trx, user, state.order, "place-orders");
    const plan = planCorrection(state, wanted);
    const number = sentBefore(state, plan, seen);
    if (number !== null) return { number, creditNote: null, invoice: null, effects: [] };
    requireCurrent(state, plan, seen, now);
    const stored = await store(trx, user, { state, plan }, now);
    await claim.settle(trx, orderId);
    return stored;
  });
  if (made) await makeFiles(made, now);
  return made;
}
