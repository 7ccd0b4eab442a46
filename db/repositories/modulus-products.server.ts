import { takeLock } from "../advisory-lock.server";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";

/** Products that changed after this version, in the order of their last changes. */
export const listProducts = (db: DbOrTrx, afterVersion: number, limit: number): Promise<Row<"modulusProducts">[]> =>
  db
    .selectFrom("modulusProducts")
    .selectAll()
    .where("version", ">", afterVersion)
    .orderBy("version")
    .limit(limit)
    .execute();

/** The version of the latest change of a product; 0 when there is none. */
export async function findProductVersion(db: DbOrTrx): Promise<number> {
  const row = await db
    .selectFrom("modulusProducts")
    .select("version")
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** The product that holds the modulus of this key, or null. */
export async function findProductOfKey(db: DbOrTrx, keyIdentity: string): Promise<number | null> {
  const row = await db
    .selectFrom("certificates")
    .select("modulusProductId")
    .where("keyIdentity", "=", keyIdentity)
    .where("modulusProductId", ">", 0)
    .executeTakeFirst();
  return row?.modulusProductId ?? null;
}

const REQUEST = ["id", "keyIdentity", "csr"] as const;

/** Requests whose modulus is in no product yet, after this id. */
export const listWithoutProduct = (db: DbOrTrx, afterId: number, limit: number) =>
  db
    .selectFrom("certificates")
    .select(REQUEST)
    .where("modulusProductId", "is", null)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();

/** Requests whose moduli are in this product. */
export const listInProduct = (db: DbOrTrx, productId: number) =>
  db.selectFrom("certificates").select(REQUEST).where("modulusProductId", "=", productId).orderBy("id").execute();

/** The last product, held against every other that adds to it until the transaction ends. */
export async function lockLastProduct(trx: Trx): Promise<Row<"modulusProducts"> | null> {
  await takeLock(trx, "modulusProduct");
  const last = await trx.selectFrom("modulusProducts").selectAll().orderBy("id", "desc").limit(1).executeTakeFirst();
  return last ?? null;
}

/**
 * Stores a product, a new one without an id, as the latest change. Returns its id. The caller holds the lock of `lockLastProduct`: whoever
 * sees a version therefore sees every lower one too.
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

/** Notes in which product a request's modulus is (0: it has none). Out: false when that is noted already. */
export async function noteProduct(trx: Trx, certificateId: number, modulusProductId: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("certificates")
    .set({ modulusProductId })
    .where("id", "=", certificateId)
    .where("modulusProductId", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Requests, after this id, that are noted to have no modulus, or one in a product that is not there. */
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

/** Takes back that a request's modulus is in a product: the next extension puts it into one. */
export async function forgetProduct(trx: Trx, certificateId: number): Promise<void> {
  await trx.updateTable("certificates").set({ modulusProductId: null }).where("id", "=", certificateId).execute();
}
