import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { isOutage, isPortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import {
  findStanding,
  findStandingOrder,
  listWaitingWithin,
  setOutside,
} from "~db/repositories/standing-authorisations.server";
import { inTransaction } from "~db/transaction.server";
import { approveOrders } from "../issuing/issuance.service.server";
import { isOpenOrder, isWaitingForGrant, NOT_OPEN } from "../queue/order-decision.policy";
import { standingName, UNCONFIRMED } from "./standing";

const ACTOR = systemActor("standing authorisation");

/** Leaves an order to staff, because its certificate cannot be issued without them. From then on it does not count in the authorisation. */
const leaveToStaff = (row: CertificateRow, standingId: number, why: string, now: Date): Promise<void> =>
  inTransaction(async (trx) => {
    if (!(await setOutside(trx, row.id, why))) return;
    const message = `The order was left to staff, although it is within ${standingName(standingId)}: ${why.replaceAll("\n", " ")}`;
    const { userId, orderId, id: certificateId } = row;
    const entry = { actor: ACTOR, event: "order.outside-standing", message, userId, orderId, certificateId };
    await recordAudit(trx, entry, now);
  });

/**
 * Approves an order that is within its standing authorisation, and issues its certificate. Safe to repeat. An order that the rules of every
 * approval refuse is left to staff. Returns why the certificate is not issued yet although the order is approved, or null.
 */
export async function issueWithin(certificateId: number, now = new Date()): Promise<string | null> {
  const row = await findCertificate(getDb(), certificateId);
  const under = await findStandingOrder(getDb(), certificateId);
  if (!row || !isOpenOrder(row) || !under || under.whyOutside !== null) return null;
  const { authorisationId: standingId } = under;
  const approvedBy = (await findStanding(getDb(), standingId))?.approvedBy;
  if (!approvedBy) throw new Error(`Nobody has approved ${standingName(standingId)}.`);
  const [approval] = await approveOrders([certificateId], { id: approvedBy, actor: ACTOR, standingId }, now);
  if (!approval || !("error" in approval)) return null;
  const { error } = approval;
  if (isWaitingForGrant(error)) return UNCONFIRMED;
  if (!isPortalError(error) || isOutage(error)) logError(error);
  else if (error.code !== NOT_OPEN) await leaveToStaff(row, standingId, error.message, now);
  return null;
}

/** How old an order must be before the job takes care of it, in milliseconds, and how many it takes at once. */
const LEFT_ALONE_MS = 60_000;
const BATCH = 100;

/** Issues what a crash or an outage has left waiting. Returns how many orders it tried. */
export async function issueLeftWithin(now = new Date()): Promise<number> {
  const ids = await listWaitingWithin(getDb(), new Date(now.getTime() - LEFT_ALONE_MS), BATCH);
  for (const id of ids) await issueWithin(id, now);
  return ids.length;
}
