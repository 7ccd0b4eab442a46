import { type ExpressionBuilder } from "kysely";
import { DAY } from "~/lib/dates";
import { type DbOrTrx } from "../connection.server";
import { type CertificateStatus, type Database, type OrderStatus } from "../tables";

/** A period of time: `from` is inclusive, `to` is exclusive. The spans of one query are sorted and adjacent. */
export interface Span {
  from: Date;
  to: Date;
}

const ends = (spans: readonly Span[]) => ({
  from: spans[0]?.from.toISOString() ?? "",
  to: spans.at(-1)?.to.toISOString() ?? "",
});

const inOrder = (row: Record<string, number>, spans: readonly Span[]) => spans.map((_, index) => row[`s${index}`] ?? 0);

/** Returns how many orders of a type (CPO-03) were placed in each span. */
export async function countOrdersPlaced(db: DbOrTrx, type: 0 | 1, spans: readonly Span[]): Promise<number[]> {
  const row = await db
    .selectFrom("orders")
    .where("createdAt", ">=", ends(spans).from)
    .where("createdAt", "<", ends(spans).to)
    .where("purchaseOrderType", "=", type)
    .select(({ fn }) =>
      spans.map(({ from, to }, index) =>
        fn
          .countAll<number>()
          .filterWhere("createdAt", ">=", from.toISOString())
          .filterWhere("createdAt", "<", to.toISOString())
          .as(`s${index}`),
      ),
    )
    .executeTakeFirstOrThrow();
  return inOrder(row, spans);
}

/** Returns how many certificates with one of these statuses, of one company or of all, expire in each span. */
export async function countCertificatesEnding(
  db: DbOrTrx,
  { statuses, companyId }: { statuses: readonly CertificateStatus[]; companyId?: number },
  spans: readonly Span[],
): Promise<number[]> {
  const certificates = db.selectFrom("certificates");
  const row = await (companyId === undefined ? certificates : certificates.where("companyId", "=", companyId))
    .where("expiryDate", ">=", ends(spans).from)
    .where("expiryDate", "<", ends(spans).to)
    .where("status", "in", statuses)
    .select(({ fn }) =>
      spans.map(({ from, to }, index) =>
        fn
          .countAll<number>()
          .filterWhere("expiryDate", ">=", from.toISOString())
          .filterWhere("expiryDate", "<", to.toISOString())
          .as(`s${index}`),
      ),
    )
    .executeTakeFirstOrThrow();
  return inOrder(row, spans);
}

/**
 * Returns the times from order to certificate of the latest `limit` certificates whose validity began in this span, in days. The limit keeps
 * the cost of the figure the same however many certificates there are.
 */
export async function listDaysToIssue(db: DbOrTrx, { from, to }: Span, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("certificates")
    .select(["requestedAt", "issuedAt"])
    .where("startDate", ">=", from.toISOString())
    .where("startDate", "<", to.toISOString())
    .where("issuedAt", "is not", null)
    .orderBy("startDate", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ requestedAt, issuedAt }) => (Date.parse(issuedAt ?? "") - Date.parse(requestedAt)) / DAY);
}

/**
 * Returns the latest `limit` certificates whose validity began in this span: when they were ordered and issued, and whether a standing
 * authorisation decided about the order. The limit keeps the cost the same however many certificates there are.
 */
export async function listWaits(db: DbOrTrx, { from, to }: Span, limit: number) {
  const rows = await db
    .selectFrom("certificates")
    .leftJoin("standingOrders", (join) =>
      join.onRef("standingOrders.certificateId", "=", "certificates.id").on("standingOrders.whyOutside", "is", null),
    )
    .select(["requestedAt", "issuedAt", "standingOrders.certificateId as standingId"])
    .where("startDate", ">=", from.toISOString())
    .where("startDate", "<", to.toISOString())
    .where("issuedAt", "is not", null)
    .orderBy("startDate", "desc")
    .orderBy("certificates.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ requestedAt, issuedAt, standingId }) => ({
    isStanding: standingId !== null,
    waitedMs: Math.max(Date.parse(issuedAt ?? "") - Date.parse(requestedAt), 0),
  }));
}

/** Returns when the order that waits for the longest time for a decision was placed, or null when none waits. */
export async function findOldestPending(db: DbOrTrx): Promise<string | null> {
  const row = await db
    .selectFrom("certificates")
    .select("requestedAt")
    .where("status", "=", "Pending")
    .orderBy("requestedAt")
    .limit(1)
    .executeTakeFirst();
  return row?.requestedAt ?? null;
}

/** Returns what was invoiced in each span without VAT, less what was credited, in cents. */
export async function sumRevenue(db: DbOrTrx, spans: readonly Span[]): Promise<number[]> {
  const { from, to } = ends(spans);
  const years = [...new Set(spans.map((span) => span.from.getUTCFullYear()))];
  const row = await db
    .with("chosen", (whole) =>
      whole
        .selectFrom("invoices")
        .select(["id", "kind", "issuedAt", "orderId"])
        .where("year", "in", years)
        .where("issuedAt", ">=", from)
        .where("issuedAt", "<", to),
    )
    .with("invoiced", (whole) =>
      whole
        .selectFrom("chosen")
        .select(["kind", "issuedAt", "orderId"])
        .unionAll(
          whole
            .selectFrom("chosen")
            .innerJoin("invoiceFurtherOrders as further", "further.invoiceId", "chosen.id")
            .select(["chosen.kind", "chosen.issuedAt", "further.orderId"]),
        ),
    )
    .selectFrom("invoiced")
    .innerJoin("orders", "orders.id", "invoiced.orderId")
    .select(({ fn, eb }) => {
      const net = eb.case().when("invoiced.kind", "=", "invoice").then(eb.ref("orders.netCents")).else(eb.neg(eb.ref("orders.netCents"))).end(); // prettier-ignore
      return spans.map((span, index) =>
        fn
          .sum<number | null>(net)
          .filterWhere("invoiced.issuedAt", ">=", span.from.toISOString())
          .filterWhere("invoiced.issuedAt", "<", span.to.toISOString())
          .as(`s${index}`),
      );
    })
    .executeTakeFirstOrThrow();
  return spans.map((_, index) => Number(row[`s${index}`] ?? 0)); // PostgreSQL sums bigints as text
}

/** The renewals of one company that are due. */
export interface DueRenewals {
  companyId: number;
  company: string;
  due: number;
  /** How many of them have a pending order already. */
  ordered: number;
  /** When the first of them ends. */
  firstEnd: string;
}

/** Returns the `limit` companies with the most certificates in use that end in this span, and how many companies there are. */
export async function listDueRenewals(
  db: DbOrTrx,
  { from, to }: Span,
  limit: number,
): Promise<{ rows: DueRenewals[]; companies: number }> {
  const ending = db
    .selectFrom("certificates")
    .where("certificates.expiryDate", ">=", from.toISOString())
    .where("certificates.expiryDate", "<", to.toISOString())
    .where("certificates.status", "in", ["Issued", "Downloaded"]);
  const isOrdered = (eb: ExpressionBuilder<Database, "certificates">) =>
    eb.exists(
      eb
        .selectFrom("certificates as next")
        .whereRef("next.previousCertificateId", "=", "certificates.id")
        .where("next.status", "=", "Pending")
        .select("next.id"),
    );
  const rows = await ending
    .innerJoin("companies", "companies.id", "certificates.companyId")
    .select(({ fn, eb }) => [
      "certificates.companyId",
      "companies.name as company",
      fn.countAll<number>().as("due"),
      fn.sum<number>(eb.case().when(isOrdered(eb)).then(1).else(0).end()).as("ordered"),
      fn.min("certificates.expiryDate").as("firstEnd"),
    ])
    .groupBy(["certificates.companyId", "companies.name"])
    .orderBy("due", "desc")
    .orderBy("firstEnd")
    .orderBy("certificates.companyId")
    .limit(limit)
    .execute();
  const { companies } = await ending
    .select(({ fn }) => fn.count<number>("certificates.companyId").distinct().as("companies"))
    .executeTakeFirstOrThrow();
  return { rows: rows.map((row) => ({ ...row, firstEnd: row.firstEnd ?? "" })), companies };
}

/** Returns how many certificates have each status. Statuses without certificates are left out. */
export const countCertificatesByStatus = (db: DbOrTrx): Promise<{ status: CertificateStatus; count: number }[]> =>
  db
    .selectFrom("certificates")
    .groupBy("status")
    .select(({ fn }) => ["status", fn.countAll<number>().as("count")])
    .execute();

/** Returns how many certificate orders are waiting for a decision. */
export async function countPendingCertificates(db: DbOrTrx): Promise<number> {
  const pending = db.selectFrom("certificates").where("status", "=", "Pending");
  return (await pending.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** Returns how many sales orders, of both types, have this status. */
export async function countOrdersWith(db: DbOrTrx, status: OrderStatus): Promise<number> {
  const orders = db.selectFrom("orders").where("status", "=", status);
  return (await orders.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}
