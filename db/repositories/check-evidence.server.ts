import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow } from "../tables";

/** Stores evidence for a check of an order. Returns its id. */
export const insertCheckEvidence = async (trx: Trx, evidence: NewRow<"checkEvidence">): Promise<number> =>
  (await trx.insertInto("checkEvidence").values(evidence).returning("id").executeTakeFirstOrThrow()).id;

/** Returns all evidence for the checks of an order, the oldest first, with the person and the API client that added it. */
export const listCheckEvidence = (db: DbOrTrx, certificateId: number) =>
  db
    .selectFrom("checkEvidence")
    .innerJoin("users", "users.id", "checkEvidence.addedBy")
    .leftJoin("apiClients", "apiClients.id", "checkEvidence.apiClientId")
    .selectAll("checkEvidence")
    .select(["users.firstName", "users.lastName", "apiClients.name as clientName"])
    .where("checkEvidence.certificateId", "=", certificateId)
    .orderBy("checkEvidence.id")
    .execute();

export type CheckEvidenceRow = Awaited<ReturnType<typeof listCheckEvidence>>[number];
