import { takeLock } from "../advisory-lock.server";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";

/** Products after this id, in their order. */
export const listProducts = (db: DbOrTrx, afterId: number, limit: number): Promise<Row<"modulusProducts">[]> =>
  db.selectFrom("modulusProducts").selectAll().where("id", ">", afterId).orderBy("id").limit(limit).execute();

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

const REQUEST = ["id", "userId", "orderId", "keyIdentity", "csr"] as const;

/** Requests whose modulus is in no product yet. */
export const listWithoutProduct = (db: DbOrTrx, limit: number) =>
  db
    .selectFrom("certificates")
    .select(REQUEST)
    .where("modulusProductId", "is", null)
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

/** Stores a product, a new one without an id. Out: its id. */
export async function saveProduct(
  trx: Trx,
  { id, keyCount, product }: { id: number | null; keyCount: number; product: Buffer },
): Promise<number> {
  if (id === null) {
    const inserted = await trx
      .insertInto("modulusProducts")
      .values({ keyCount, product })
      .returning("id")
      .executeTakeFirstOrThrow();
    return inserted.id;
  }
  await trx.updateTable("modulusProducts").set({ keyCount, product }).where("id", "=", id).execute();
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
