import { type DbOrTrx, type Trx } from "../connection.server";

/** Returns the version of the products up to which this key was compared with all stored keys, or null when it never was. */
export async function findComparison(db: DbOrTrx, keyIdentity: string): Promise<number | null> {
  const row = await db
    .selectFrom("keyComparisons")
    .select("productVersion")
    .where("keyIdentity", "=", keyIdentity)
    .executeTakeFirst();
  return row?.productVersion ?? null;
}

/** Returns the versions of `findComparison` of those of these keys that were compared. */
export async function listComparisons(db: DbOrTrx, keyIdentities: readonly string[]): Promise<Map<string, number>> {
  if (keyIdentities.length === 0) return new Map();
  const rows = await db
    .selectFrom("keyComparisons")
    .select(["keyIdentity", "productVersion"])
    .where("keyIdentity", "in", keyIdentities)
    .execute();
  return new Map(rows.map(({ keyIdentity, productVersion }) => [keyIdentity, productVersion]));
}

/** Records comparisons of different keys. Of two at the same time the one with the higher version stays. */
export async function saveComparisons(
  db: DbOrTrx,
  keyIdentities: readonly string[],
  productVersion: number,
  now: Date,
): Promise<void> {
  if (keyIdentities.length === 0) return;
  await db
    .insertInto("keyComparisons")
    .values(keyIdentities.map((keyIdentity) => ({ keyIdentity, productVersion, comparedAt: now })))
    .onConflict((conflict) =>
      conflict
        .column("keyIdentity")
        .doUpdateSet({ productVersion, comparedAt: now })
        .where("keyComparisons.productVersion", "<", productVersion),
    )
    .execute();
}

/** Deletes the record that a key was compared. */
export async function forgetComparison(trx: Trx, keyIdentity: string): Promise<void> {
  await trx.deleteFrom("keyComparisons").where("keyIdentity", "=", keyIdentity).execute();
}

/** Returns CSRs of RSA keys that were never compared, with ids above `afterId`. CSRs with blocked keys are left out. */
export const listNeverCompared = (db: DbOrTrx, afterId: number, limit: number) =>
  db
    .selectFrom("certificates")
    .select(["id", "userId", "keyIdentity", "csr"])
    .where("modulusProductId", ">", 0)
    .where("id", ">", afterId)
    .where("keyIdentity", "not in", (eb) => eb.selectFrom("keyComparisons").select("keyComparisons.keyIdentity"))
    .where("keyIdentity", "not in", (eb) => eb.selectFrom("blockedKeys").select("blockedKeys.keyIdentity"))
    .orderBy("id")
    .limit(limit)
    .execute();
