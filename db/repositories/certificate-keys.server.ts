import { type DbOrTrx } from "../connection.server";
import { type CertificateStatus } from "../tables";

const IN_FORCE: readonly CertificateStatus[] = ["Pending", "Issued", "Downloaded", "Renewed", "RequestRevoke"];

/** Requests of open orders and of certificates in force, after this id, in their order. */
export const listKeysInForce = (db: DbOrTrx, afterId: number, limit: number) =>
  db
    .selectFrom("certificates")
    .select(["id", "userId", "status", "commonName", "keyIdentity", "csr"])
    .where("id", ">", afterId)
    .where("status", "in", IN_FORCE)
    .orderBy("id")
    .limit(limit)
    .execute();
