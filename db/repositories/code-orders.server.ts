import { type DbOrTrx } from "../connection.server";
import { PURCHASE_ORDER_TYPE } from "../tables/orders";

/** Selects the code orders of one owner, or of all users when `ownerId` is undefined. */
function codeOrders(db: DbOrTrx, ownerId: number | undefined) {
  const orders = db.selectFrom("orders").where("purchaseOrderType", "=", PURCHASE_ORDER_TYPE.code);
  return ownerId === undefined ? orders : orders.where("userId", "=", ownerId);
}

export const countCodeOrders = async (db: DbOrTrx, ownerId: number | undefined): Promise<number> =>
  (
    await codeOrders(db, ownerId)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;

/** Returns the latest code orders. `offset` skips that many of them. */
export const listCodeOrders = (db: DbOrTrx, ownerId: number | undefined, limit: number, offset = 0) =>
  codeOrders(db, ownerId)
    .select([
      "id",
      "createdAt",
      "company",
      "orderType",
      "numberOfCodes",
      "totalCents",
      "invoiceNumber",
      "status",
      "paymentDate",
      "customerNote",
    ])
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
