import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { requireMemberOrStaff } from "~/domain/companies/membership.server";
import { recipientFor } from "~/domain/companies/recipient.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { orderCancelledMail, orderRejectedMail } from "~/domain/mail/templates/orders.server";
import { orderNumber } from "~/domain/orders/order-number";
import { progressForMail } from "~/domain/orders/own/certificate-progress.server";
import { formatDateTime } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { notFound, PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import {
  type CertificateRow,
  changeOpenOrder,
  findCertificate,
  keepNotes,
  storeContactAnswer,
} from "~db/repositories/certificates.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { findVisibleCertificate } from "../visible.server";
import { REFUSED } from "./checks.policy";
import { listNamesakes, requireFourEyes } from "./four-eyes.server";
import { isOpenOrder, notOpen } from "./order-decision.policy";
import { endSalesOrder, type OrderEnd } from "./order-end.server";
import { STAFF_CHECKS, type StaffCheck } from "./queue-fields";

type OpenOrderChange = Parameters<typeof changeOpenOrder>[2];

interface Decision {
  change: OpenOrderChange;
  /** Stores the change if the order is in the right state. The default is `changeOpenOrder`. */
  store?: typeof changeOpenOrder;
  event: string;
  message: (row: CertificateRow) => string;
}

/** Returns the error for an order that could not be changed: it is decided, or the contact has already answered. */
function whyNot(row: CertificateRow): PortalError {
  if (!isOpenOrder(row)) return notOpen(row);
  const code = "certificate.contact-answered";
  if (row.contactAnswer === "refused")
    return new PortalError(`${REFUSED} That answer stays: reject or cancel the order.`, { code });
  const { at, by } = recordOf(row, "contact");
  return new PortalError(`${meanwhile(by, at)} The authorisation stays as it is.`, { code, field: "contact" });
}

const meanwhile = (by: string | null, at: string | null) =>
  `This check was recorded by ${by ?? "somebody"} on ${formatDateTime(at)} UTC meanwhile.`;

/** Returns what is stored of a check: when and by whom it was recorded, and the note. */
function recordOf(row: CertificateRow, check: StaffCheck) {
  if (check === "contact") return { at: row.contactAnsweredAt, by: row.contactAnswerBy, note: row.contactNote };
  return check === "organisation"
    ? { at: row.organisationCheckedAt, by: row.organisationCheckedBy, note: row.organisationNote }
    : { at: row.csrCheckedAt, by: row.csrCheckedBy, note: row.csrNote };
}

/** A check to record. */
interface NewRecord {
  check: StaffCheck;
  note: string;
  /** When the record was made that the page showed, as an ISO timestamp, or "". */
  seen: string;
}

/**
 * Returns whether the same person has recorded this check with this note already, because the form was sent twice. Throws a PortalError for
 * the check when it was recorded since the page was opened. The contact's authorisation is recorded once.
 */
function isRecorded(row: CertificateRow, { check, note, seen }: NewRecord, user: SessionUser): boolean {
  const { at, by, note: stored } = recordOf(row, check);
  if (!isOpenOrder(row) || at === null || row.contactAnswer === "refused") return false;
  if (seen === at) return false;
  if (by === user.email && stored === note) return true;
  if (check === "contact") throw whyNot(row);
  const text = `${meanwhile(by, at)} Nothing of this form is stored. To replace the record, record the check again.`;
  throw new PortalError(text, { code: "certificate.check-recorded", field: check });
}

/**
 * Changes an open order and records the audit entry. Throws a PortalError (404) when the order is missing, and a PortalError with the
 * outcome when it is no longer open.
 */
async function change(trx: Trx, row: CertificateRow | null, user: SessionUser, decision: Decision, now: Date) {
  if (!row) throw notFound();
  const store = decision.store ?? changeOpenOrder;
  if (!(await store(trx, row.id, decision.change, now))) throw whyNot((await findCertificate(trx, row.id)) ?? row);
  const { userId, orderId, id: certificateId } = row;
  const entry = { event: decision.event, message: decision.message(row), userId, orderId, certificateId };
  await recordAudit(trx, { actor: user.actor, ...entry, reference: orderNumber(orderId) }, now);
  return row;
}

const recorded = ({ check, note }: NewRecord, by: string, now: Date): OpenOrderChange => {
  switch (check) {
    case "contact":
      return { contactAnswer: "authorised", contactAnsweredAt: now, contactAnswerBy: by, contactNote: note };
    case "organisation":
      return { organisationCheckedAt: now, organisationCheckedBy: by, organisationNote: note };
    case "csr":
      return { csrCheckedAt: now, csrCheckedBy: by, csrNote: note };
  }
};

const CHECKED = {
  contact: "Staff recorded that the authentication contact authorised the order.",
  organisation: "Staff recorded that the organisation's document was seen.",
  csr: "Staff recorded that the CSR agrees with the company.",
} as const;

/** What the form holds beside the notes of the checks to record. */
interface FormRest extends Partial<Record<"organisationSeen" | "csrSeen", string>> {
  /** The texts that are typed but not recorded. */
  typed?: Parameters<typeof keepNotes>[2];
}

/**
 * Records checks of an order in one transaction, each with its note and its audit entry, and saves what else was typed. Throws a PortalError
 * (404) when the order is missing, and a PortalError when the four-eyes principle keeps this user from it, or somebody else recorded one of
 * the checks since the page was opened; then nothing is stored.
 *
 * @param notes The notes of the checks to record. The note goes into the audit entry too, so that it survives when somebody records the
 *   check again.
 */
export function recordChecks(
  id: number,
  notes: Readonly<Partial<Record<StaffCheck, string>>>,
  user: SessionUser,
  { typed, ...rest }: FormRest = {},
  now = new Date(),
): Promise<void> {
  return inTransaction(async (trx) => {
    await requireTask(trx, user.actor, "check-orders");
    const row = await lockCertificate(trx, id);
    if (!row) throw notFound();
    await requireFourEyes(trx, "check", row, user);
    for (const check of STAFF_CHECKS) {
      const note = notes[check];
      if (note === undefined) continue;
      const record = { check, note, seen: (check === "contact" ? "" : rest[`${check}Seen`]) ?? "" };
      if (isRecorded(row, record, user)) continue;
      const namesakes = check === "contact" ? await listNamesakes(trx, row) : [];
      const decision = {
        change: recorded(record, user.email, now),
        ...(check === "contact" && { store: storeContactAnswer }),
        event: `certificate.${check}-checked`,
        message: () => `${CHECKED[check]} ${note}${anotherPerson(namesakes)}`.trim(),
      };
      await change(trx, row, user, decision, now);
    }
    if (typed) await keepNotes(trx, id, typed, now);
  });
}

/** Returns what the audit entry of the contact's answer adds when a member of staff has the contact's name. */
const anotherPerson = (namesakes: readonly string[]): string =>
  namesakes.length === 0
    ? ""
    : ` The contact has the same name as the member of staff ${namesakes.join(", ")}, and was found to be another person.`;

const mailFacts = (row: CertificateRow, owner: { firstName: string; lastName: string }) => ({
  name: `${owner.firstName} ${owner.lastName}`,
  orderNumber: orderNumber(row.orderId),
  commonName: row.commonName,
  url: getEnv().publicUrl + paths.order(row.orderId),
});

/** Rejects an order. The customer receives the reason. Returns what happens to the payment and the promotion code. */
export const rejectOrder = (id: number, reason: string, user: SessionUser, now = new Date()): Promise<OrderEnd> =>
  inTransaction(async (trx) => {
    await requireTask(trx, user.actor, "end-orders");
    const row = await change(
      trx,
      await findCertificate(trx, id),
      user,
      {
        change: { status: "Rejected", decidedAt: now, decidedBy: user.id, decisionReason: reason },
        event: "certificate.rejected",
        message: ({ commonName }) => `The order for ${commonName} was rejected: ${reason}`,
      },
      now,
    );
    const end = await endSalesOrder(trx, row, user, now);
    const owner = await recipientFor(trx, row);
    const mail = orderRejectedMail({
      ...mailFacts(row, owner),
      reason,
      steps: await progressForMail(trx, owner.id, id),
      ...end,
    });
    const dedupeKey = `order-rejected:${row.orderId}` as const;
    await queueOwnMail(trx, owner.id, { dedupeKey, orderId: row.orderId, mail }, now);
    return end;
  });

/**
 * Cancels an order for a member of the company, who need not give a reason, or for staff who may end orders. Returns what happens to the payment and the
 * promotion code. Throws a PortalError (404) for everybody else.
 */
export const cancelOrder = (id: number, reason: string, user: SessionUser, now = new Date()): Promise<OrderEnd> =>
  inTransaction(async (trx) => {
    const visible = await findVisibleCertificate(trx, id, user);
    if (visible) await requireMemberOrStaff(trx, user, visible, { task: "cancel-orders", staffTask: "end-orders" });
    const row = await change(
      trx,
      visible,
      user,
      {
        change: { status: "Cancelled", decidedAt: now, decidedBy: user.id, decisionReason: reason || null },
        event: "certificate.cancelled",
        message: ({ commonName }) => `The order for ${commonName} was cancelled${reason ? `: ${reason}` : "."}`,
      },
      now,
    );
    const end = await endSalesOrder(trx, row, user, now);
    const owner = await recipientFor(trx, row);
    const mail = orderCancelledMail({
      ...mailFacts(row, owner),
      reason,
      steps: await progressForMail(trx, owner.id, id),
      ...end,
    });
    const dedupeKey = `order-cancelled:${row.orderId}` as const;
    await queueOwnMail(trx, owner.id, { dedupeKey, orderId: row.orderId, mail }, now);
    return end;
  });
