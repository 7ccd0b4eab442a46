import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

/** A stored certificate for the name and the key of a CA of this portal, signed by another CA. */
export type CrossCertificate = Row<"crossCertificates">;

/** Returns all cross-certificates in the order of their installation. */
export const listCrossCertificates = (db: DbOrTrx): Promise<CrossCertificate[]> =>
  db.selectFrom("crossCertificates").selectAll().orderBy("id").execute();

/** Returns the cross-certificates without their bytes. */
export const listCrossCertificateStates = (
  db: DbOrTrx,
): Promise<Pick<CrossCertificate, "id" | "notAfter" | "revokedAt">[]> =>
  db.selectFrom("crossCertificates").select(["id", "notAfter", "revokedAt"]).orderBy("id").execute();

export async function findCrossCertificate(db: DbOrTrx, id: number): Promise<CrossCertificate | null> {
  return (await db.selectFrom("crossCertificates").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Stores a cross-certificate. Returns its id, or null when it is stored already. */
export async function insertCrossCertificate(trx: Trx, values: NewRow<"crossCertificates">): Promise<number | null> {
  const row = await trx
    .insertInto("crossCertificates")
    .values(values)
    .onConflict((conflict) => conflict.column("thumbprint").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Notes that a cross-certificate is revoked. Returns false when it was known to be. */
export async function setCrossCertificateRevoked(trx: Trx, id: number, revokedAt: Date): Promise<boolean> {
  const row = await trx
    .updateTable("crossCertificates")
    .set({ revokedAt })
    .where("id", "=", id)
    .where("revokedAt", "is", null)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
