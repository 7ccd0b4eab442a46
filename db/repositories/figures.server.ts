import { type DbOrTrx } from "../connection.server";
import { type CertificateStatus, type OrderStatus } from "../tables";

/** From a moment on and before another. Those of one question are in order and lie side by side. */
export interface Span {
  from: Date;
  to: Date;
}

const ends = (spans: readonly Span[]) => ({
  from: spans[0]?.from.toISOString() ?? "",
  to: spans.at(-1)?.to.toISOString() ?? "",
});

const inOrder = (row: Record<string, number>, spans: readonly Span[]) => spans.map((_, index) => row[`s${index}`] ?? 0);

/** How many orders of a kind (CPO-03) were placed in each span. */
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

/** How many certificates of these statuses end in each span. */
export async function countCertificatesEnding(
  db: DbOrTrx,
  statuses: readonly CertificateStatus[],
  spans: readonly Span[],
): Promise<number[]> {
  const row = await db
    .selectFrom("certificates")
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

/** How many certificates there are of each status; a status that none has is left out. */
export const countCertificatesByStatus = (db: DbOrTrx): Promise<{ status: CertificateStatus; count: number }[]> =>
  db
    .selectFrom("certificates")
    .groupBy("status")
    .select(({ fn }) => ["status", fn.countAll<number>().as("count")])
    .execute();

/** How many orders of certificates wait to be decided. */
export async function countPendingCertificates(db: DbOrTrx): Promise<number> {
  const pending = db.selectFrom("certificates").where("status", "=", "Pending");
  return (await pending.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** How many sales orders of both kinds have this status. */
export async function countOrdersWith(db: DbOrTrx, status: OrderStatus): Promise<number> {
  const orders = db.selectFrom("orders").where("status", "=", status);
  return (await orders.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}
