import { sql } from "kysely";
import { type SortOrder } from "~/lib/list-params";
import { byteOrdered } from "../byte-order.server";
import { type DbOrTrx } from "../connection.server";
import { type Row } from "../tables";

const COLUMNS = {
  email: "auditEntries.actorName",
  purchaseOrderNumber: "orders.purchaseOrderNumber",
  code: "entity.code",
  message: "auditEntries.message",
  dateTime: "auditEntries.id",
  auditReference: "auditEntries.reference",
} as const;

export interface AuditWindow {
  sort: SortOrder<keyof typeof COLUMNS>;
  offset: number;
  limit: number;
}

/** Selects the entries about a code, and those about the order that paid for it that are not about any code. */
const entriesOf = (db: DbOrTrx, { id, orderId }: Pick<Row<"codes">, "id" | "orderId">) =>
  db
    .selectFrom("auditEntries")
    .where((eb) =>
      eb.or([
        eb("auditEntries.codeId", "=", id),
        ...(orderId === null
          ? []
          : [eb.and([eb("auditEntries.orderId", "=", orderId), eb("auditEntries.codeId", "is", null)])]),
      ]),
    );

type Code = Parameters<typeof entriesOf>[1];

export async function countCodeEntries(db: DbOrTrx, code: Code): Promise<number> {
  const query = entriesOf(db, code).select((eb) => eb.fn.countAll<number>().as("total"));
  return (await query.executeTakeFirstOrThrow()).total;
}

/**
 * Returns one page of the entries. `purchaseOrderNumber` is the number of the purchase order. Rows without a value in the sort column come
 * last, and rows with equal values are sorted by id.
 */
export function listCodeEntries(db: DbOrTrx, code: Code, { sort, offset, limit }: AuditWindow) {
  const { key, direction } = sort;
  const query = entriesOf(db, code)
    .leftJoin("codes as entity", "entity.id", "auditEntries.codeId")
    .leftJoin("orders", (join) =>
      join.on((eb) => eb("orders.id", "=", eb.fn.coalesce("auditEntries.orderId", "entity.orderId"))),
    )
    .leftJoin("users as actor", "actor.id", "auditEntries.actorId")
    .leftJoin("users as impersonator", "impersonator.id", "auditEntries.impersonatorId")
    .select([
      "auditEntries.id",
      "auditEntries.at",
      "auditEntries.message",
      "auditEntries.reference",
      "auditEntries.address",
      "auditEntries.sequence",
    ])
    .select(["auditEntries.actorId", "auditEntries.actorName", "actor.username as actorUsername"])
    .select(["auditEntries.impersonatorId", "impersonator.email as impersonatorEmail"])
    .select("impersonator.username as impersonatorUsername")
    .select(["orders.purchaseOrderNumber", "entity.codeType", "entity.code", "entity.subcode"]);
  const sorted =
    key === "dateTime"
      ? query.orderBy("auditEntries.at", direction)
      : query.orderBy(
          (eb) => byteOrdered(eb.ref(COLUMNS[key])),
          (order) => (direction === "asc" ? order.asc() : order.desc()).nullsLast(),
        );
  const ordered = key === "code" ? sorted.orderBy(sql`entity.subcode`, direction) : sorted;
  return ordered.orderBy("auditEntries.id", direction).limit(limit).offset(offset).execute();
}
