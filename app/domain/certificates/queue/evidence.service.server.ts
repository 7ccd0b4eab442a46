import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { personName } from "~/domain/companies/people.server";
import { orderNumber } from "~/domain/orders/order-number";
import { formatDateTime } from "~/lib/dates";
import { notFound, PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { type CheckEvidenceRow, insertCheckEvidence, listCheckEvidence } from "~db/repositories/check-evidence.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { CHECK_TITLES } from "./checks.policy";
import { requireFourEyes } from "./four-eyes.server";
import { isOpenOrder, notOpen } from "./order-decision.policy";
import { recordOrderWork } from "./order-work.service.server";
import { STAFF_CHECKS, type StaffCheck } from "./queue-fields";

/** How much evidence the checks of one order can have. A program that runs wild must not fill the page of the order. */
export const EVIDENCE_LIMIT = 30;

/** What was found out for a check, and the number or address of the document where it was found, which may be empty. */
export interface NewEvidence {
  check: StaffCheck;
  text: string;
  reference: string;
}

/** Evidence as pages and calls show it. */
export interface Evidence extends NewEvidence {
  id: number;
  by: string;
  at: string;
  /** All of it in one line. */
  line: string;
}

function toEvidence({ id, checkName, text, reference, addedAt: at, ...person }: CheckEvidenceRow): Evidence {
  const by = personName(person);
  const line = `Evidence of ${formatDateTime(at)} UTC, from ${by}: ${text}${reference && ` (${reference})`}`;
  return { id, check: checkName, text, reference, by, at, line };
}

/** Returns the evidence for the checks of an order, by check, the oldest first. */
export async function listEvidenceOf(certificateId: number): Promise<Record<StaffCheck, Evidence[]>> {
  const all = (await listCheckEvidence(getDb(), certificateId)).map(toEvidence);
  const entries = STAFF_CHECKS.map((name) => [name, all.filter(({ check }) => check === name)]);
  return Object.fromEntries(entries) as Record<StaffCheck, Evidence[]>;
}

/** Throws what keeps the user from adding evidence to an order (see `addEvidence`), which may be missing. Returns the order. */
async function requireEvidenceable(
  db: DbOrTrx,
  user: SessionUser,
  row: CertificateRow | null,
): Promise<CertificateRow> {
  await requireTask(db, user.actor, "add-evidence");
  if (!row) throw notFound();
  if (!isOpenOrder(row)) throw notOpen(row);
  await requireFourEyes(db, "check", row, user);
  return row;
}

/** Returns an order's number and host and the evidence that it has, for the form that adds more. Throws what `addEvidence` throws. */
export async function getEvidenceForm(user: SessionUser, certificateId: number) {
  const row = await requireEvidenceable(getDb(), user, await findCertificate(getDb(), certificateId));
  const evidence = await listEvidenceOf(row.id);
  return {
    orderNumber: orderNumber(row.orderId),
    commonName: row.commonName,
    checks: STAFF_CHECKS.map((name) => ({ name, title: CHECK_TITLES[name], evidence: evidence[name] })),
  };
}

/**
 * Adds evidence to a check of an open order, with an audit entry. It records no check and decides nothing. The same evidence from the same
 * sender, sent again, is stored once. Returns its id.
 *
 * Throws a PortalError (403) without the right, (404) when there is no such order, and a PortalError when the order is decided, the
 * four-eyes principle keeps the person, or whoever answers for the API client, from checking the order, or it has EVIDENCE_LIMIT already.
 */
export function addEvidence(
  user: SessionUser,
  certificateId: number,
  { check, text, reference }: NewEvidence,
  now = new Date(),
): Promise<number> {
  return inTransaction(async (trx) => {
    const row = await requireEvidenceable(trx, user, await lockCertificate(trx, certificateId));
    const stored = await listCheckEvidence(trx, certificateId);
    const apiClientId = user.apiClient?.id ?? null;
    const same = stored.find(
      (one) =>
        one.checkName === check &&
        one.text === text &&
        one.reference === reference &&
        one.addedBy === user.id &&
        one.apiClientId === apiClientId,
    );
    if (same) return same.id;
    if (stored.length >= EVIDENCE_LIMIT)
      throw new PortalError(
        `The order has ${EVIDENCE_LIMIT} pieces of evidence already. Write what is new as a comment.`,
        {
          code: "certificate.evidence-limit",
        },
      );
    const evidence = { certificateId, checkName: check, text, reference, addedBy: user.id, apiClientId, addedAt: now };
    const id = await insertCheckEvidence(trx, evidence);
    const message = `Added evidence for the check “${CHECK_TITLES[check]}”: ${[text, reference].filter(Boolean).join(" ")}`;
    await recordOrderWork(trx, row, { user, event: "certificate.evidence-added", message }, now);
    return id;
  });
}
