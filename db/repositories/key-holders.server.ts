import { type DbOrTrx } from "../connection.server";

/** Every order and certificate of this key, whoever owns it, with its owner; oldest first. */
export async function listKeyHolders(db: DbOrTrx, keyIdentity: string) {
  const rows = await db
    .selectFrom("certificates")
    .innerJoin("users", "users.id", "certificates.userId")
    .select(["certificates.id", "orderId", "userId", "status", "commonName", "organisation", "country"])
    .select(["users.company", "users.email as ownerEmail", "users.firstName", "users.lastName"])
    .select((eb) =>
      eb
        .case()
        .when(eb.or([eb("der", "is not", null), eb("tbsCertificate", "is not", null)]))
        .then(1)
        .else(0)
        .end()
        .as("isCertified"),
    )
    .where("keyIdentity", "=", keyIdentity)
    .orderBy("certificates.id")
    .execute();
  return rows.map((row) => ({ ...row, isCertified: row.isCertified === 1 }));
}
