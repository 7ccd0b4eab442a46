import { sql, type SqlBool } from "kysely";
import { type DbOrTrx } from "../connection.server";
import { escapeLike } from "../like";

/** Deletes the counts of this key, and its counts for single networks (`key|network`). */
export async function deleteRateLimits(db: DbOrTrx, key: string): Promise<void> {
  const ofNetworks = `${escapeLike(key)}|%`;
  await db
    .deleteFrom("rateLimits")
    .where((eb) => eb.or([eb("key", "=", key), sql<SqlBool>`${eb.ref("key")} like ${ofNetworks} escape '\\'`]))
    .execute();
}
