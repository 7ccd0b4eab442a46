import { type DbOrTrx } from "../connection.server";

const ordersOf = (db: DbOrTrx, companyId: number) => db.selectFrom("orders").where("orders.companyId", "=", companyId);

/** Returns how many orders a company has placed. */
export const countCompanyOrders = async (db: DbOrTrx, companyId: number): Promise<number> =>
  (
    await ordersOf(db, companyId)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;

/** Returns orders of a company, the latest first, with what says how far each has come. */
export const listCompanyOrders = (
  db: DbOrTrx,
  companyId: number,
  { offset, limit }: { offset: number; limit: number },
) =>
  ordersOf(db, companyId)
    .innerJoin("users", "users.id", "orders.userId")
    .leftJoin("certificates", "certificates.orderId", "orders.id")
    .select(["orders.id", "orders.createdAt", "orders.status", "orders.purchaseOrderNumber", "orders.totalCents"])
    .select(["orders.orderType", "orders.numberOfCodes", "orders.isMaintenance"])
    .select([
      "certificates.status as certificateStatus",
      "certificates.commonName",
      "certificates.orderType as certificateOrderType",
      "certificates.previousCertificateId",
      "certificates.contactAnswer",
      "certificates.organisationCheckedAt",
      "certificates.csrCheckedAt",
      "certificates.serialNumber",
      "users.emailVerifiedAt",
    ])
    .orderBy("orders.createdAt", "desc")
    .orderBy("orders.id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();

export type OwnOrderRow = Awaited<ReturnType<typeof listCompanyOrders>>[number];
