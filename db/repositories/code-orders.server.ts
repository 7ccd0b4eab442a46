import { sql } from "kysely";
import { type DbOrTrx } from "../connection.server";
import { countUpTo } from "../count.server";
import { isBehind, type Position } from "../keyset.server";
import { type OrderStatus, PURCHASE_ORDER_TYPE } from "../tables/orders";

/** Selects the code orders of one company, or of all companies when `companyId` is undefined. */
function codeOrders(db: DbOrTrx, companyId: number | undefined) {
  const orders = db.selectFrom("orders").where("purchaseOrderType", "=", PURCHASE_ORDER_TYPE.code);
  return companyId === undefined ? orders : orders.where("orders.companyId", "=", companyId);
}

/** Returns how many code orders there are. Counting stops at `limit`. */
export const countCodeOrders = (db: DbOrTrx, companyId: number | undefined, limit: number): Promise<number> =>
  countUpTo(db, codeOrders(db, companyId).select("orders.id"), limit);

/** Which part of the code orders is listed. */
interface CodeOrderPart {
  /** Only those of this status. */
  status?: OrderStatus | null;
  /** Only those that were changed at this time or later, an ISO timestamp. They are then in the order of their last change. */
  updatedSince?: string | null;
  /** The row behind which the part begins. */
  behind?: Position | null;
  /** How many rows are skipped. */
  offset?: number;
  limit: number;
}

/** Returns code orders, the latest first or, with `updatedSince`, the oldest change first. */
export function listCodeOrders(
  db: DbOrTrx,
  companyId: number | undefined,
  { status = null, updatedSince = null, behind = null, offset = 0, limit }: CodeOrderPart,
) {
  const columns = { at: sql.ref("orders.updatedAt"), id: sql.ref("orders.id") };
  const direction = updatedSince === null ? "desc" : "asc";
  let orders = codeOrders(db, companyId);
  if (status) orders = orders.where("orders.status", "=", status);
  if (updatedSince) orders = orders.where("orders.updatedAt", ">=", updatedSince).orderBy("orders.updatedAt");
  if (behind) orders = orders.where(isBehind(columns, behind, direction));
  return orders
    .innerJoin("users", "users.id", "orders.userId")
    .select([
      "orders.id",
      "orders.userId",
      "orders.createdAt",
      "orders.updatedAt",
      "orders.company",
      "orders.orderType",
      "orders.numberOfCodes",
      "orders.totalCents",
      "orders.invoiceNumber",
      "orders.status",
      "orders.paymentDate",
      "orders.customerNote",
      "orders.isMaintenance",
      "users.firstName",
      "users.lastName",
    ])
    .orderBy("orders.id", direction)
    .limit(limit)
    .offset(offset)
    .execute();
}
