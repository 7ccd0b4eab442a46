import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { blockBrokenKeys } from "~/domain/keys/broken-keys.service.server";
import { compareAgain, type KeyComparison } from "~/domain/keys/key-comparison.service.server";
import { SHARED_PRIME } from "~/domain/keys/key-rules.server";
import { type Sharing } from "~/domain/keys/shared-primes.server";
import { getDb } from "~db/connection.server";
import { lockKeys } from "~db/repositories/blocked-keys.server";
import { lockCertificates, type RecordedTbs, recordTbs } from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";
import { isOpenOrder, notOpen } from "../queue/order-decision.policy";
import { explainedBreach } from "../request/explained-rules.server";
import { standingName } from "../standing/standing";
import { csrRefused, readApprovalRules, rsaKeysOf } from "./approval.server";
import { recordAbout, type RecordedOrder } from "./finishing.server";
import {
  type JudgedOrder,
  prepareAll,
  type PreparedApproval,
  type Refused,
  withAcceptableCsr,
} from "./preparing.server";

interface Recording {
  recorded: RecordedOrder[];
  refused: Refused;
  /** The keys that share a prime with that of an order, by the id of the order. */
  sharing: Map<number, Sharing>;
}

const tbsOf = ({ row, authority, prepared, user }: PreparedApproval): RecordedTbs => ({
  id: row.id,
  authorityId: authority.id,
  serialNumber: prepared.serial,
  tbsCertificate: Buffer.from(prepared.tbs),
  certificateProfile: JSON.stringify(prepared.profile),
  decidedBy: user.id,
});

/** Records the issuer, the serial number and the TBS certificate of each order that can be approved, in one transaction. */
const recordAll = (orders: readonly PreparedApproval[], comparison: KeyComparison, now: Date): Promise<Recording> =>
  inTransaction(async (trx) => {
    const recording: Recording = { recorded: [], refused: new Map(), sharing: new Map() };
    if (orders.length === 0) return recording;
    await lockKeys(
      trx,
      orders.map(({ row }) => row.keyIdentity),
    );
    const locked = await lockCertificates(
      trx,
      orders.map(({ row }) => row.id),
    );
    const current = orders.map((order) => ({
      ...order,
      row: locked.find(({ id }) => id === order.row.id) ?? order.row,
    }));
    const open = current.filter(({ row }) => isOpenOrder(row));
    for (const { row } of current) if (!isOpenOrder(row)) recording.refused.set(row.id, notOpen(row));
    if (open.length === 0) return recording;
    const rules = await readApprovalRules(trx, open, now); // keys and rows are locked, so nothing that is checked here can change
    const sharings = await compareAgain(trx, rsaKeysOf(open), comparison.versions);
    await comparison.save(trx, now);
    const approved = new Map<number, PreparedApproval>();
    for (const order of open) {
      const { row } = order;
      const barrier = rules.whyNot(order);
      const sharing = sharings.get(row.keyIdentity);
      if (barrier) recording.refused.set(row.id, barrier);
      else if (sharing) recording.sharing.set(row.id, sharing);
      if (barrier || sharing) continue;
      rules.approved(order);
      approved.set(row.id, order);
    }
    const rows = await recordTbs(trx, [...approved.values()].map(tbsOf), now);
    for (const row of rows.sort((one, other) => one.id - other.id)) {
      const { actor, standingId } = (approved.get(row.id) as PreparedApproval).user;
      const under = standingId === undefined ? "" : ` under ${standingName(standingId)}`;
      const message = `The order was approved${under}; serial number ${row.serialNumber}.`;
      await recordAbout(trx, row, actor, "certificate.approved", message, now);
      recording.recorded.push({ row, actor });
      approved.delete(row.id);
    }
    for (const { row } of approved.values()) recording.refused.set(row.id, notOpen(row)); // nobody waits for an answer in vain
    return recording;
  });

export interface RecordedApprovals {
  recorded: RecordedOrder[];
  /** What stopped each of the others, by the id of the order. */
  refused: Refused;
  /** The CAs, as they were read for these approvals. */
  authorities: readonly Authority[];
}

/**
 * Decides about these approvals, each of another order, and records the TBS certificates of those that are allowed, in one transaction.
 * Nothing is signed yet.
 */
export async function recordApprovals(orders: readonly JudgedOrder[], now: Date): Promise<RecordedApprovals> {
  const refused: Refused = new Map();
  const authorities = await listAuthorities(getDb());
  const { fine, comparison } = await withAcceptableCsr(orders, authorities, now, refused);
  const recording = await recordAll(await prepareAll(fine, authorities, now, refused), comparison, now);
  for (const [id, error] of recording.refused) refused.set(id, error);
  for (const { row, user } of orders) {
    const sharing = recording.sharing.get(row.id);
    if (!sharing) continue;
    const keys = [row.keyIdentity, ...sharing.keyIdentities];
    await blockBrokenKeys(keys, { userId: row.userId, actor: user.actor }, now);
    refused.set(row.id, csrRefused([explainedBreach("key-shared-factor", SHARED_PRIME)]));
  }
  return { recorded: recording.recorded, refused, authorities };
}
