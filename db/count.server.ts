import { type AliasedExpression } from "kysely";
import { type DbOrTrx } from "./connection.server";

interface Limitable {
  limit(limit: number): { as(alias: "found"): AliasedExpression<{ id: number }, "found"> };
}

/** Returns how many rows a query for ids finds. Counting stops at `limit`, so that it takes no longer in a larger table. */
export async function countUpTo(db: DbOrTrx, rows: Limitable, limit = Number.MAX_SAFE_INTEGER): Promise<number> {
  const counted = db.selectFrom(rows.limit(limit).as("found")).select((eb) => eb.fn.countAll<number>().as("total"));
  return (await counted.executeTakeFirstOrThrow()).total;
}
