import { type DbOrTrx } from "../connection.server";

/** The orders of a company, or those of them that are invoiced and not paid. */
interface CompanyOrders {
  companyId: number;
  unpaid?: boolean;
}

const ordersOf = (db: DbOrTrx, { companyId, unpaid }: CompanyOrders) => {
  const orders = db.selectFrom("orders").where("orders.companyId", "=", companyId);
  return unpaid ? orders.where("orders.status", "=", "Invoiced") : orders;
};

/** Returns how many orders a company has placed. */
export const countCompanyOrders = async (db: DbOrTrx, orders: CompanyOrders): Promise<number> =>
  (
    await ordersOf(db, orders)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;

/** Returns orders of a company, the latest first, with what says how far each has come. */
export const listCompanyOrders = (
  db: DbOrTrx,
  orders: CompanyOrders,
  { offset, limit }: { offset: number; limit: number },
) =>
  ordersOf(db, orders)
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

/** Returns the last order of a user in the company in which the user works now, or null. A yearly fee is not the user's order. */
export const findLastOrderOf = async (db: DbOrTrx, userId: number) =>
  (await db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.userId")
    .where("orders.userId", "=", userId)
    .whereRef("orders.companyId", "=", "users.companyId")
    .where("orders.isMaintenance", "=", false)
    .select(["orders.id", "orders.invoiceAddress"])
    .orderBy("orders.createdAt", "desc")
    .orderBy("orders.id", "desc")
    .limit(1)
    .executeTakeFirst()) ?? null;

/** Returns the last certificate that a company has ordered, without renewals and without orders whose contact refused, or null. */
export const findLastCertificateOf = async (db: DbOrTrx, companyId: number) =>
  (await db
    .selectFrom("certificates")
    .innerJoin("orders", "orders.id", "certificates.orderId")
    .where("certificates.companyId", "=", companyId)
    .where("certificates.orderType", "=", "Initial")
    .where((eb) => eb.or([eb("contactAnswer", "is", null), eb("contactAnswer", "!=", "refused")]))
    .select(["certificates.orderId", "authenticationContact", "authenticationEmail", "validityYears"])
    .select(["hasSecureSession", "hasEmail", "hasEncryption", "hasFileSigning", "orders.purchaseOrderNumber"])
    .orderBy("certificates.requestedAt", "desc")
    .orderBy("certificates.id", "desc")
    .limit(1)
    .executeTakeFirst()) ?? null;
