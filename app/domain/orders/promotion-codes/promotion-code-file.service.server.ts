import { toCsv } from "~/lib/csv.server";
import { formatDate } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { findPromotionBatch } from "~db/repositories/promotion-code-list.server";
import { listCodesOfBatch } from "~db/repositories/promotion-codes.server";

const HEADER = ["Promotion code", "Value in euro", "Months", "Valid until"];

/** Returns the codes of a batch as a CSV file, or null when there is no such batch. */
export async function findPromotionCodeFile(batch: string) {
  const created = await findPromotionBatch(getDb(), batch);
  if (!created) return null;
  const rows = (await listCodesOfBatch(getDb(), batch)).map(({ code, valueCents, months, validUntil }) => [
    code,
    (valueCents / 100).toFixed(2),
    String(months),
    formatDate(validUntil),
  ]);
  return {
    bytes: Buffer.from(toCsv([HEADER, ...rows])),
    mediaType: "text/csv; charset=utf-8",
    fileName: `promotion-codes-${created.createdAt.slice(0, 10)}-${batch.replaceAll("_", "-")}.csv`,
  };
}
