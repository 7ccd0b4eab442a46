import { type DbOrTrx } from "../connection.server";
import { type CertificateStatus } from "../tables";

/** Returns every order and certificate of these keys, whoever owns it, with its owner, oldest first. */
export async function listHoldersOfKeys(db: DbOrTrx, keyIdentities: readonly string[]) {
  const rows = await db
    .selectFrom("certificates")
    .innerJoin("users", "users.id", "certificates.userId")
    .innerJoin("companies", "companies.id", "certificates.companyId")
    .select(["certificates.id", "orderId", "userId", "certificates.companyId", "status", "commonName", "organisation"])
    .select("keyIdentity")
    .select(["country", "companies.name as company", "users.email as ownerEmail", "users.firstName", "users.lastName"])
    .select((eb) =>
      eb
        .case()
        .when(eb.or([eb("der", "is not", null), eb("tbsCertificate", "is not", null)]))
        .then(1)
        .else(0)
        .end()
        .as("isCertified"),
    )
    .where("keyIdentity", "in", keyIdentities)
    .orderBy("certificates.id")
    .execute();
  return rows.map((row) => ({ ...row, isCertified: row.isCertified === 1 }));
}

/** Returns every order and certificate of this key, as `listHoldersOfKeys` does. */
export const listKeyHolders = (db: DbOrTrx, keyIdentity: string) => listHoldersOfKeys(db, [keyIdentity]);

const IN_FORCE: readonly CertificateStatus[] = ["Pending", "Issued", "Downloaded", "Renewed", "RequestRevoke"];

/** Returns the CSRs of open orders and of certificates in force with ids above `afterId`, by id. */
export const listKeysInForce = (db: DbOrTrx, afterId: number, limit: number) =>
  db
    .selectFrom("certificates")
    .select(["id", "userId", "companyId", "status", "commonName", "keyIdentity", "csr"])
    .where("id", ">", afterId)
    .where("status", "in", IN_FORCE)
    .orderBy("id")
    .limit(limit)
    .execute();
