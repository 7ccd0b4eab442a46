import { type DbOrTrx } from "../connection.server";
import { PURCHASE_ORDER_TYPE } from "../tables";

/** In: the owner, or undefined for everybody's. */
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

/** The latest orders of codes; `offset` leaves out so many of them. */
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
