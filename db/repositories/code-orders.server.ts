import { type DbOrTrx } from "../connection.server";
import { countUpTo } from "../count.server";
import { PURCHASE_ORDER_TYPE } from "../tables/orders";

/** Selects the code orders of one company, or of all companies when `companyId` is undefined. */
function codeOrders(db: DbOrTrx, companyId: number | undefined) {
  const orders = db.selectFrom("orders").where("purchaseOrderType", "=", PURCHASE_ORDER_TYPE.code);
  return companyId === undefined ? orders : orders.where("orders.companyId", "=", companyId);
}

/** Returns how many code orders there are. Counting stops at `limit`. */
export const countCodeOrders = (db: DbOrTrx, companyId: number | undefined, limit: number): Promise<number> =>
  countUpTo(db, codeOrders(db, companyId).select("orders.id"), limit);

/** Returns the latest code orders. `offset` skips that many of them. */
export const listCodeOrders = (db: DbOrTrx, companyId: number | undefined, limit: number, offset = 0) =>
  codeOrders(db, companyId)
    .innerJoin("users", "users.id", "orders.userId")
    .select([
      "orders.id",
      "orders.userId",
      "orders.createdAt",
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
    .orderBy("orders.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
