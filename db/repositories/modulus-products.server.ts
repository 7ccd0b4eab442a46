import { takeLock } from "../advisory-lock.server";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";

/** Returns the products that changed after this version, by version. */
export const listProducts = (db: DbOrTrx, afterVersion: number, limit: number): Promise<Row<"modulusProducts">[]> =>
  db
    .selectFrom("modulusProducts")
    .selectAll()
    .where("version", ">", afterVersion)
    .orderBy("version")
    .limit(limit)
    .execute();

/** Returns the ids of the products that contain the moduli of these keys, by key. */
export async function listProductsOfKeys(db: DbOrTrx, keyIdentities: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("certificates")
    .select(["keyIdentity", "modulusProductId"])
    .where("keyIdentity", "in", keyIdentities)
    .where("modulusProductId", ">", 0)
    .execute();
  return new Map(rows.map(({ keyIdentity, modulusProductId }) => [keyIdentity, modulusProductId as number]));
}

/** Returns the version of the latest change of a product, or 0 when there is none. */
export async function findProductVersion(db: DbOrTrx): Promise<number> {
  const row = await db
    .selectFrom("modulusProducts")
    .select("version")
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? 0;
}

const REQUEST = ["id", "keyIdentity", "csr"] as const;

/** Returns CSRs whose modulus is in no product yet, with ids above `afterId`. */
export const listWithoutProduct = (db: DbOrTrx, afterId: number, limit: number) =>
  db
    .selectFrom("certificates")
    .select(REQUEST)
    .where("modulusProductId", "is", null)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();

/** Returns the CSRs whose moduli are in this product. */
export const listInProduct = (db: DbOrTrx, productId: number) =>
  db.selectFrom("certificates").select(REQUEST).where("modulusProductId", "=", productId).orderBy("id").execute();

/** Returns the last product, or null. Locks it against other transactions that add to it until this one ends. */
export async function lockLastProduct(trx: Trx): Promise<Row<"modulusProducts"> | null> {
  await takeLock(trx, "modulusProduct");
  const last = await trx.selectFrom("modulusProducts").selectAll().orderBy("id", "desc").limit(1).executeTakeFirst();
  return last ?? null;
}

/**
 * Stores a product as the latest change and returns its id. Without an id it inserts a new product. The caller must hold the lock of
 * `lockLastProduct`, so that every reader who sees a version also sees all lower ones.
 */
export async function saveProduct(
  trx: Trx,
  { id, keyCount, product }: { id: number | null; keyCount: number; product: Buffer },
): Promise<number> {
  const saved = { keyCount, product, version: (await findProductVersion(trx)) + 1 };
  if (id === null) {
    const inserted = await trx.insertInto("modulusProducts").values(saved).returning("id").executeTakeFirstOrThrow();
    return inserted.id;
  }
  await trx.updateTable("modulusProducts").set(saved).where("id", "=", id).execute();
  return id;
}

/** Records which product contains the modulus of a CSR, 0 for a CSR without a modulus. Returns false when that is already recorded. */
export async function noteProduct(trx: Trx, certificateId: number, modulusProductId: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("certificates")
    .set({ modulusProductId })
    .where("id", "=", certificateId)
    .where("modulusProductId", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns CSRs with ids above `afterId` that are recorded as having no modulus, or one in a product that does not exist. */
export const listOutsideProducts = (db: DbOrTrx, afterId: number, limit: number) =>
  db
    .selectFrom("certificates")
    .select(REQUEST)
    .where("modulusProductId", "is not", null)
    .where("modulusProductId", "not in", (eb) => eb.selectFrom("modulusProducts").select("modulusProducts.id"))
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();

/** Deletes the record that the modulus of a CSR is in a product. The next extension of the products adds it again. */
export async function forgetProduct(trx: Trx, certificateId: number): Promise<void> {
  await trx.updateTable("certificates").set({ modulusProductId: null }).where("id", "=", certificateId).execute();
}
