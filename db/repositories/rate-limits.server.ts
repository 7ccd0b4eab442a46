import { sql, type SqlBool } from "kysely";
import { escapeLike } from "~/lib/list-params";
import { type DbOrTrx } from "../connection.server";

/** Deletes the counts of this key, and its counts for single networks (`key|network`). */
export async function deleteRateLimits(db: DbOrTrx, key: string): Promise<void> {
  const ofNetworks = `${escapeLike(key)}|%`;
  await db
    .deleteFrom("rateLimits")
    .where((eb) => eb.or([eb("key", "=", key), sql<SqlBool>`${eb.ref("key")} like ${ofNetworks} escape '\\'`]))
    .execute();
}
