import { type DbOrTrx } from "../connection.server";
import { countUpTo } from "../count.server";
import { overpaidOrders } from "./sales-order-list.server";

/** The most that is counted of one kind of work, so that the count costs little however much waits. */
export const MOST_COUNTED = 1000;

/** Returns a number for people. What reaches the limit of counting may be more. */
export const countText = (count: number): string => (count < MOST_COUNTED ? String(count) : `${MOST_COUNTED - 1}+`);

/**
 * The rows of each kind of work that waits for staff: pending orders, open sales orders, orders on which too much was paid, standing
 * authorisations that nobody has decided, and open findings of the audit.
 */
const WORK = {
  pending: (db: DbOrTrx) => db.selectFrom("certificates").where("status", "=", "Pending").select("id"),
  sales: (db: DbOrTrx) => db.selectFrom("orders").where("status", "=", "Open").select("id"),
  overpaid: overpaidOrders,
  standing: (db: DbOrTrx) =>
    db.selectFrom("standingAuthorisations").where("endedAt", "is", null).where("approvedAt", "is", null).select("id"),
  findings: (db: DbOrTrx) => db.selectFrom("auditFindings").where("settledAt", "is", null).select("id"),
};

export type WorkKind = keyof typeof WORK;

/** Returns how much of this kind of work waits, at most MOST_COUNTED. */
export const countWork = (db: DbOrTrx, kind: WorkKind): Promise<number> => countUpTo(db, WORK[kind](db), MOST_COUNTED);
