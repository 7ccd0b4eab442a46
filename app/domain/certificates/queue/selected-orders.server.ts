import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { type CertificateRow, listCertificatesById } from "~db/repositories/certificates.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { inTransaction } from "~db/transaction.server";
import { namedOrder, type NamedOrder, type RefusedOrder, requireSelection } from "./bulk-approval.service.server";

/** What members of staff who work on orders can do with several of them at once. */
export interface OrderAct {
  /** The stable code of a refusal. */
  code: string;
  /** Returns why it is not done with an order now, as a sentence, or null. */
  whyNot: (db: DbOrTrx, row: CertificateRow, user: SessionUser, now: Date) => Promise<string | null>;
  /** Does it with a locked order. */
  perform: (trx: Trx, row: CertificateRow, user: SessionUser, now: Date) => Promise<void>;
}

/** The selected orders with which something is or can be done, and the others with the reasons. */
export interface SortedOrders {
  ready: NamedOrder[];
  refused: RefusedOrder[];
}

type Judged = readonly { row: CertificateRow; reason: string | null }[];

const sorted = (judged: Judged, { code }: OrderAct): SortedOrders => ({
  ready: judged.filter(({ reason }) => reason === null).map(({ row }) => namedOrder(row)),
  refused: judged.flatMap(({ row, reason }) => (reason === null ? [] : [{ ...namedOrder(row), reason, code }])),
});

/**
 * Returns with which of the selected orders something can be done now, and why not with the others. Changes nothing. Throws what
 * `requireSelection` throws, and a PortalError (403) when the user's rights do not allow it.
 */
export async function checkSelectedOrders(
  act: OrderAct,
  ids: readonly number[],
  user: SessionUser,
  now = new Date(),
): Promise<SortedOrders> {
  const selected = requireSelection(ids);
  await requireTask(getDb(), user.actor, "work-on-orders");
  const judged = [];
  for (const row of await listCertificatesById(getDb(), selected))
    judged.push({ row, reason: await act.whyNot(getDb(), row, user, now) });
  return sorted(judged, act);
}

/**
 * Does something with each of the selected orders that allows it. Each order has a transaction of its own, so that other people need not
 * wait for all of them. `onEach` is called after each order. Returns with which it was done, and why not with the others. Throws what `checkSelectedOrders` throws.
 */
export async function actOnSelectedOrders(
  act: OrderAct,
  ids: readonly number[],
  user: SessionUser,
  { now = new Date(), onEach = () => undefined }: { now?: Date; onEach?: () => void } = {},
): Promise<SortedOrders> {
  const judged = [];
  for (const id of requireSelection(ids)) {
    const one = await inTransaction(async (trx) => {
      await requireTask(trx, user.actor, "work-on-orders");
      const row = await lockCertificate(trx, id);
      if (!row) return null;
      const reason = await act.whyNot(trx, row, user, now);
      if (reason === null) await act.perform(trx, row, user, now);
      return { row, reason };
    });
    if (one) judged.push(one);
    onEach();
  }
  return sorted(judged, act);
}
