import { sql } from "kysely";
import { type DbOrTrx } from "../connection.server";

const certificatesOf = (db: DbOrTrx, companyId: number) =>
  db.selectFrom("certificates").where("companyId", "=", companyId);

/**
 * Returns how many certificates of a company can be used now, how many of them end before `soon`, how many orders are pending, and how many of
 * these wait for their contact. `firstEnd` is when the first of those that end soon does, or null.
 */
export const countOwnCertificates = (db: DbOrTrx, companyId: number, { now, soon }: { now: Date; soon: Date }) =>
  certificatesOf(db, companyId)
    .where("status", "in", ["Issued", "Downloaded", "Pending"])
    .select(({ fn, eb }) => {
      const isActive = eb.and([eb("status", "!=", "Pending"), eb("expiryDate", ">", now.toISOString())]);
      const isSoon = eb.and([isActive, eb("expiryDate", "<", soon.toISOString())]);
      const isPending = eb("status", "=", "Pending");
      return [
        fn.countAll<number>().filterWhere(isActive).as("active"),
        fn.countAll<number>().filterWhere(isSoon).as("soon"),
        fn.min("expiryDate").filterWhere(isSoon).as("firstEnd"),
        fn.countAll<number>().filterWhere(isPending).as("pending"),
        fn
          .countAll<number>()
          .filterWhere(eb.and([isPending, eb("contactAnswer", "is", null)]))
          .as("waiting"),
      ];
    })
    .executeTakeFirstOrThrow();

/** Returns how many orders of a company are invoiced and not paid, and their sum in cents. */
export async function sumUnpaid(db: DbOrTrx, companyId: number): Promise<{ count: number; cents: number }> {
  const { count, cents } = await db
    .selectFrom("orders")
    .where("companyId", "=", companyId)
    .where("status", "=", "Invoiced")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .select(sql<number | null>`sum(total_cents - coalesce(payment_cents, 0))`.as("cents"))
    .executeTakeFirstOrThrow();
  return { count, cents: Number(cents ?? 0) };
}

/** An invoice with orders that are not paid. */
export interface UnpaidInvoice {
  /** The first of the orders. */
  orderId: number;
  /** The number that is recorded with the orders, or null. */
  invoiceNumber: string | null;
  /** How many of its orders are not paid, and what is left to pay of them. */
  orders: number;
  cents: number;
  invoiceDate: string | null;
}

/** Returns the invoices of a company that are not paid, the oldest first. */
export async function listUnpaid(db: DbOrTrx, companyId: number, limit: number): Promise<UnpaidInvoice[]> {
  const rows = await db
    .selectFrom("orders")
    .where("companyId", "=", companyId)
    .where("status", "=", "Invoiced")
    .select(({ fn }) => [
      fn.min("id").as("orderId"),
      fn.max("invoiceNumber").as("invoiceNumber"),
      fn.min("invoiceDate").as("invoiceDate"),
      fn.countAll<number>().as("orders"),
    ])
    .select(sql<number>`sum(total_cents - coalesce(payment_cents, 0))`.as("cents"))
    .groupBy(sql`coalesce(invoice_number, cast(id as text))`)
    .orderBy(({ fn }) => fn.min("invoiceDate"))
    .orderBy(({ fn }) => fn.min("id"))
    .limit(limit)
    .execute();
  return rows.map(({ orders, cents, ...row }) => ({ ...row, orders: Number(orders), cents: Number(cents) }));
}

/** Returns certificates of a company that end or have ended between two times without a renewal, the first end first. */
export const listEnding = (db: DbOrTrx, companyId: number, { from, to }: { from: Date; to: Date }, limit: number) =>
  certificatesOf(db, companyId)
    .where("status", "in", ["Issued", "Downloaded", "Expired"])
    .where("expiryDate", ">=", from.toISOString())
    .where("expiryDate", "<", to.toISOString())
    .select(["id", "companyId", "authorityId", "status", "commonName", "expiryDate"])
    .orderBy("expiryDate")
    .orderBy("id")
    .limit(limit)
    .execute();

/** Returns pending orders of a company whose contact has refused or has not answered. Refused ones come first, then the oldest. */
export const listWaitingForContact = (db: DbOrTrx, companyId: number, limit: number) =>
  certificatesOf(db, companyId)
    .where("status", "=", "Pending")
    .where((eb) => eb.or([eb("contactAnswer", "is", null), eb("contactAnswer", "=", "refused")]))
    .select(["id", "orderId", "commonName", "requestedAt", "contactAnswer", "authenticationContact"])
    .orderBy((eb) => eb.case().when("contactAnswer", "=", "refused").then(0).else(1).end())
    .orderBy("requestedAt")
    .limit(limit)
    .execute();

/** Returns the orders of a company that staff have rejected since then, the latest first. */
export const listRejected = (db: DbOrTrx, companyId: number, since: Date, limit: number) =>
  certificatesOf(db, companyId)
    .where("status", "=", "Rejected")
    .where("decidedAt", ">=", since.toISOString())
    .select(["id", "orderId", "commonName", "decisionReason"])
    .orderBy("decidedAt", "desc")
    .limit(limit)
    .execute();

/** Returns the certificates of a company whose revocation has a date that is still to come, the first one first. */
export const listToBeRevoked = (db: DbOrTrx, companyId: number, limit: number) =>
  certificatesOf(db, companyId)
    .where("status", "=", "RequestRevoke")
    .select(["id", "commonName", "revocationDate"])
    .orderBy("revocationDate")
    .limit(limit)
    .execute();

const STEPS = ["requestedAt", "contactAnsweredAt", "decidedAt", "issuedAt", "revocationDate"] as const;

/** The statuses of orders that were decided without a certificate. */
const DECIDED = ["Rejected", "Cancelled"] as const;

/** A step in the life of a certificate, by the column that holds its time. */
export type CertificateStep = (typeof STEPS)[number];

/**
 * Returns the latest steps of a company's certificates of each kind, at most `limit` of each. A decision is a step where it ended the order;
 * otherwise the issue is.
 */
export async function listLatestSteps(db: DbOrTrx, companyId: number, now: Date, limit: number) {
  const steps = STEPS.map(async (step) => {
    const certificates = certificatesOf(db, companyId);
    const rows = await (step === "decidedAt" ? certificates.where("status", "in", DECIDED) : certificates)
      .where(step, "<=", now.toISOString())
      .select(["id", "orderId", "commonName", "status", "contactAnswer", "authenticationContact"])
      .select(step === "requestedAt" ? "requestedAt as at" : `${step} as at`)
      .orderBy(step, "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...row, step, at: row.at ?? "" }));
  });
  return (await Promise.all(steps)).flat();
}
