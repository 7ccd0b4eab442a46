import { setImmediate as othersTurn } from "node:timers/promises";
import { NO_RIGHT, requireTask } from "~/domain/accounts/staff-rights.server";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { compareAhead } from "~/domain/keys/key-comparison.service.server";
import { isPortalError, notFound, PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { isIssuing, isOpenOrder, NOT_OPEN, notOpen, notSignedYet } from "../queue/order-decision.policy";
import { csrVerdict } from "../request/csr-import.service.server";
import { explainRefusals } from "../request/explained-rules.server";
import { type Approver, csrRefused, keptSsid, readApprovalRules, rsaKeysOf } from "./approval.server";
import { type Finished, finishIssuing } from "./finishing.server";
import { approveInGroups } from "./groups.server";
import { limitRulesOfOrder, readIssuingFacts } from "./order-lints.server";
import { readOpen, type Refused } from "./preparing.server";

/** What came of the approval of one order: its issued certificate, or what stopped it. */
export type Approval = { id: number; issued: CertificateRow } | { id: number; error: unknown };

const TAKEN_BACK =
  "The approval was taken back by somebody else while the certificate was being signed: nothing was issued.";
const REVOKED_AT_ONCE =
  "The public key was reported as compromised while the certificate was being issued: it has been revoked at once.";

function approvalOf(id: number, finished: Finished): Approval {
  if ("error" in finished) return { id, error: finished.error };
  const issued = finished.row;
  if (!issued.der) {
    const isOpen = isOpenOrder(issued);
    return { id, error: isOpen ? new PortalError(TAKEN_BACK, { code: "certificate.undone" }) : notOpen(issued) };
  }
  if (issued.status === "Revoked")
    return { id, error: new PortalError(REVOKED_AT_ONCE, { code: "certificate.key-blocked" }) };
  return { id, issued };
}

/**
 * Approves orders and issues their certificates, each as if it were approved alone: an order that cannot be approved stops no other. The
 * serial numbers and the TBS certificates are recorded in one transaction. The certificates are then signed outside any transaction,
 * checked, and stored in another one with their audit entries and messages. `approveInGroups` says which orders share these. After a crash,
 * `finishInterruptedIssuing` completes the issuing with the same bytes.
 *
 * `onEach` is called for each order when its answer is known. Returns what came of each order, in the given order. An error is a PortalError when the order is missing or not open, a check is missing,
 * the user placed the order, the recorded certificate must not be issued, or somebody else undid the approval in the meantime. Throws a
 * PortalError (403) when the user's rights do not allow approvals.
 */
export async function approveOrders(
  ids: readonly number[],
  user: Approver,
  now = new Date(),
  onEach?: () => void,
): Promise<Approval[]> {
  const asked = [...new Set(ids)].map((id) => ({ id, user }));
  const finished = await approveInGroups(asked, now, onEach);
  const approvals = new Map(asked.map(({ id }, index) => [id, approvalOf(id, finished[index] as Finished)]));
  const all = ids.map((id) => approvals.get(id) as Approval);
  for (const one of all) if ("error" in one && isPortalError(one.error) && one.error.code === NO_RIGHT) throw one.error;
  return all;
}

/**
 * Returns, before the user is asked to confirm, what keeps each of these orders from being approved now, by id. An order without an error
 * can be approved, unless its key shares a prime with another: the approval itself compares the keys, because that can block one. Changes
 * nothing. Throws what `approveOrders` throws.
 */
export async function whyNotApproved(
  ids: readonly number[],
  user: Approver,
  now = new Date(),
): Promise<Map<number, unknown>> {
  await requireTask(getDb(), user.actor, "approve-orders");
  const refused: Refused = new Map();
  const orders = await readOpen(
    ids.map((id) => ({ id, user })),
    refused,
  );
  if (orders.length === 0) return refused;
  await compareAhead(rsaKeysOf(orders));
  const rules = await readApprovalRules(getDb(), orders, now);
  const facts = await readIssuingFacts(orders.map(({ row }) => row));
  for (const order of orders) {
    const barrier = rules.whyNot(order);
    const broken = barrier
      ? []
      : [...explainRefusals(await csrVerdict(order.csr, keptSsid(order.row))), ...limitRulesOfOrder(order, facts, now)];
    if (barrier) refused.set(order.row.id, barrier);
    else if (broken.length > 0) refused.set(order.row.id, csrRefused(broken));
    else rules.approved(order);
    await othersTurn();
  }
  return refused;
}

/** Returns the issued certificate of an approval. Throws what stopped it. */
function issuedOf(approval: Approval | undefined): CertificateRow {
  if (!approval) throw notFound();
  if ("error" in approval) throw approval.error;
  return approval.issued;
}

/** Approves one order as `approveOrders` does. Throws what stops it. */
export const approveOrder = async (id: number, user: Approver, now = new Date()): Promise<CertificateRow> =>
  issuedOf((await approveOrders([id], user, now))[0]);

/**
 * Returns the same answer again when the same person sends an approval a second time, for example by a double click. If the first approval
 * is still being signed, this call completes it with the same bytes.
 */
async function answeredAgain(approval: Approval, user: Approver, now: Date): Promise<Approval> {
  if (!("error" in approval) || !isPortalError(approval.error) || approval.error.code !== NOT_OPEN) return approval;
  const { id } = approval;
  const row = await findCertificate(getDb(), id);
  if (row?.decidedBy !== user.id || !row.tbsCertificate) return approval;
  if (row.status === "Issued" || row.status === "Downloaded") return { id, issued: row };
  if (row.status !== "Pending") return approval;
  const finished = (await finishIssuing([{ row, actor: user.actor }], await listAuthorities(getDb()), now)).get(id);
  return finished ? approvalOf(id, finished) : approval;
}

/** Does the same as `approveOrders`, and gives the same answers when the same person sends the approvals again. */
export async function approveOrdersOnce(
  ids: readonly number[],
  user: Approver,
  now = new Date(),
  onEach?: () => void,
): Promise<Approval[]> {
  const approvals = await approveOrders(ids, user, now, onEach);
  return Promise.all(approvals.map((approval) => answeredAgain(approval, user, now)));
}

/**
 * Does the same as `approveOrder`, and gives the same answer when the same person sends the approval again. When the approval is recorded,
 * but the CA's key does not sign at the moment, it throws a PortalError that says so.
 */
export async function approveOrderOnce(id: number, user: Approver, now = new Date()): Promise<CertificateRow> {
  const [approval] = await approveOrdersOnce([id], user, now);
  if (!approval || !("error" in approval) || isPortalError(approval.error)) return issuedOf(approval);
  const row = await findCertificate(getDb(), id);
  if (!row || !isIssuing(row)) throw approval.error;
  logError(approval.error);
  throw notSignedYet(approval.error);
}
