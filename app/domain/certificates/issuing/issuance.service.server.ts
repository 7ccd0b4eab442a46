import { setImmediate as othersTurn } from "node:timers/promises";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { blockBrokenKeys } from "~/domain/keys/broken-keys.service.server";
import { compareAgain, type KeyComparison } from "~/domain/keys/key-comparison.service.server";
import { SHARED_PRIME } from "~/domain/keys/key-rules.server";
import { type Sharing } from "~/domain/keys/shared-primes.server";
import { isPortalError, notFound, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { lockKeys } from "~db/repositories/blocked-keys.server";
import {
  type CertificateRow,
  findCertificate,
  lockCertificates,
  recordTbs,
} from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";
import { isOpenOrder, NOT_OPEN, notOpen } from "../queue/order-decision.policy";
import { csrVerdict } from "../request/csr-import.service.server";
import { csrRefused, keptSsid, readApprovalRules } from "./approval.server";
import { type Finished, finishIssuing, recordAbout } from "./finishing.server";
import {
  type Approver,
  prepareAll,
  type PreparedApproval,
  readOpen,
  type Refused,
  rsaKeysOf,
  withAcceptableCsr,
} from "./preparing.server";

/** What came of the approval of one order: its issued certificate, or what stopped it. */
export type Approval = { id: number; issued: CertificateRow } | { id: number; error: unknown };

interface Recording {
  recorded: CertificateRow[];
  refused: Refused;
  /** The keys that share a prime with that of an order, by the id of the order. */
  sharing: Map<number, Sharing>;
}

/** Records the issuer, the serial number and the TBS certificate of each order that can be approved, in one transaction. */
const recordAll = (
  orders: readonly PreparedApproval[],
  comparison: KeyComparison,
  user: Approver,
  now: Date,
): Promise<Recording> =>
  inTransaction(async (trx) => {
    const recording: Recording = { recorded: [], refused: new Map(), sharing: new Map() };
    if (orders.length === 0) return recording;
    await lockKeys(
      trx,
      orders.map(({ row }) => row.keyIdentity),
    );
    const rows = new Map(
      (
        await lockCertificates(
          trx,
          orders.map(({ row }) => row.id),
        )
      ).map((row) => [row.id, row]),
    );
    const current = orders.map((order) => ({ ...order, row: rows.get(order.row.id) ?? order.row }));
    const open = current.filter(({ row }) => isOpenOrder(row));
    for (const { row } of current) if (!isOpenOrder(row)) recording.refused.set(row.id, notOpen(row));
    if (open.length === 0) return recording;
    const rules = await readApprovalRules(trx, open, user, now); // keys and rows are locked, so nothing that is checked here can change
    const sharings = await compareAgain(trx, rsaKeysOf(open), comparison.versions);
    await comparison.save(trx, now);
    for (const order of open) {
      const { row, authority, prepared } = order;
      const barrier = rules.whyNot(order);
      const sharing = sharings.get(row.keyIdentity);
      if (barrier) recording.refused.set(row.id, barrier);
      else if (sharing) recording.sharing.set(row.id, sharing);
      if (barrier || sharing) continue;
      const tbs = {
        authorityId: authority.id,
        serialNumber: prepared.serial,
        tbsCertificate: Buffer.from(prepared.tbs),
        certificateProfile: JSON.stringify(prepared.profile),
        decidedAt: now,
        decidedBy: user.id,
      };
      const recorded = await recordTbs(trx, row.id, tbs);
      if (!recorded) throw notOpen(row);
      rules.approved(order);
      const message = `The order was approved; serial number ${prepared.serial}.`;
      await recordAbout(trx, recorded, user.actor, "certificate.approved", message, now);
      recording.recorded.push(recorded);
    }
    return recording;
  });

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
 * checked, and stored in another one with their audit entries and messages. After a crash, `finishInterruptedIssuing` completes the issuing
 * with the same bytes.
 *
 * Returns what came of each order, in the given order. An error is a PortalError when the order is missing or not open, a check is missing,
 * the user placed the order, the recorded certificate must not be issued, or somebody else undid the approval in the meantime. Throws a
 * PortalError (403) when the user's rights do not allow approvals.
 */
export async function approveOrders(ids: readonly number[], user: Approver, now = new Date()): Promise<Approval[]> {
  const refused: Refused = new Map();
  const orders = await readOpen([...new Set(ids)], refused);
  const finished = new Map<number, Finished>();
  if (orders.length > 0) {
    const authorities = await listAuthorities(getDb());
    const { fine, comparison } = await withAcceptableCsr(orders, authorities, user, now, refused);
    const prepared = await prepareAll(fine, authorities, user, now, refused);
    const recording = await recordAll(prepared, comparison, user, now);
    for (const [id, error] of recording.refused) refused.set(id, error);
    for (const [id, { keyIdentities }] of recording.sharing) {
      const row = orders.find((order) => order.row.id === id)?.row as CertificateRow;
      await blockBrokenKeys([row.keyIdentity, ...keyIdentities], { userId: row.userId, actor: user.actor }, now);
      refused.set(id, csrRefused([SHARED_PRIME]));
    }
    for (const [id, one] of await finishIssuing(recording.recorded, authorities, user.actor, now))
      finished.set(id, one);
  }
  return ids.map((id) => {
    const one = finished.get(id);
    return one ? approvalOf(id, one) : { id, error: refused.get(id) };
  });
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
  const orders = await readOpen(ids, refused);
  if (orders.length === 0) return refused;
  const rules = await readApprovalRules(getDb(), orders, user, now);
  for (const order of orders) {
    const barrier = rules.whyNot(order);
    const broken = barrier ? [] : await csrVerdict(order.csr, keptSsid(order.row));
    if (barrier) refused.set(order.row.id, barrier);
    else if (broken.length > 0) refused.set(order.row.id, csrRefused(broken.map(({ message }) => message)));
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
  const finished = (await finishIssuing([row], await listAuthorities(getDb()), user.actor, now)).get(id);
  return finished ? approvalOf(id, finished) : approval;
}

/** Does the same as `approveOrders`, and gives the same answers when the same person sends the approvals again. */
export async function approveOrdersOnce(ids: readonly number[], user: Approver, now = new Date()): Promise<Approval[]> {
  const approvals = await approveOrders(ids, user, now);
  return Promise.all(approvals.map((approval) => answeredAgain(approval, user, now)));
}

/** Does the same as `approveOrder`, and gives the same answer when the same person sends the approval again. */
export const approveOrderOnce = async (id: number, user: Approver, now = new Date()): Promise<CertificateRow> =>
  issuedOf((await approveOrdersOnce([id], user, now))[0]);
