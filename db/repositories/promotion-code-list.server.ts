import { sql, type SqlBool } from "kysely";
import { type SortOrder } from "~/lib/list-params";
import { type DbOrTrx } from "../connection.server";
import { escapeLike } from "../like";
import { type Row } from "../tables";

export interface PromotionCodeFilter {
  /** A part of the code, regardless of case. "" matches every code. */
  text: string;
  /** Codes that this order used match as well as those that contain `text`. */
  orderId: number | null;
  state: "Unused" | "Used" | "Expired" | "Withdrawn" | null;
  batch: string | null;
  now: Date;
}

const COLUMNS = {
  code: "promotionCodes.code",
  value: "promotionCodes.valueCents",
  months: "promotionCodes.months",
  validUntil: "promotionCodes.validUntil",
  createdAt: "promotionCodes.createdAt",
} as const;

export interface PromotionCodeWindow {
  sort: SortOrder<keyof typeof COLUMNS>;
  offset: number;
  limit: number;
}

function filtered(db: DbOrTrx, { text, orderId, state, batch, now }: PromotionCodeFilter) {
  const moment = now.toISOString();
  let query = db.selectFrom("promotionCodes");
  if (batch !== null) query = query.where("batchId", "=", batch);
  if (text !== "")
    query = query.where((eb) =>
      eb.or([
        sql<SqlBool>`upper(${eb.ref("promotionCodes.code")}) like ${`%${escapeLike(text.toUpperCase())}%`} escape '\\'`,
        ...(orderId === null ? [] : [eb("usedByOrderId", "=", orderId)]),
      ]),
    );
  if (state === null) return query;
  if (state === "Used") return query.where("usedAt", "is not", null);
  query = query.where("usedAt", "is", null).where("withdrawnAt", state === "Withdrawn" ? "is not" : "is", null);
  if (state === "Expired") query = query.where("validUntil", "<", moment);
  if (state === "Unused")
    query = query.where((eb) => eb.or([eb("validUntil", "is", null), eb("validUntil", ">=", moment)]));
  return query;
}

/** Returns how many promotion codes match the filter. */
export async function countPromotionCodes(db: DbOrTrx, filter: PromotionCodeFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return row.total;
}

/**
 * Returns one page of the promotion codes, each with the certificate of the order that used it. Codes without `validUntil` come last when
 * sorting by it. Rows with equal values are sorted by code.
 */
export const listPromotionCodes = (
  db: DbOrTrx,
  filter: PromotionCodeFilter,
  { sort, offset, limit }: PromotionCodeWindow,
) =>
  filtered(db, filter)
    .leftJoin("certificates", "certificates.orderId", "promotionCodes.usedByOrderId")
    .selectAll("promotionCodes")
    .select("certificates.id as certificateId")
    .orderBy(COLUMNS[sort.key], (order) => {
      const directed = sort.direction === "asc" ? order.asc() : order.desc();
      return sort.key === "validUntil" ? directed.nullsLast() : directed;
    })
    .orderBy("promotionCodes.code", sort.direction)
    .limit(limit)
    .offset(offset)
    .execute();

export type PromotionCodeListRow = Awaited<ReturnType<typeof listPromotionCodes>>[number];

/** Returns the batch that one form created, or null when there is none. */
export const findPromotionBatch = async (db: DbOrTrx, id: string): Promise<Row<"promotionBatches"> | null> =>
  (await db.selectFrom("promotionBatches").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
