import { type DbOrTrx } from "../connection.server";

/** The latest entries about an account, newest first, with the e-mail of the administrator who acted as the person. */
export const listAuditEntriesAbout = (db: DbOrTrx, userId: number, limit: number) =>
  db
    .selectFrom("auditEntries")
    .leftJoin("users as impersonator", "impersonator.id", "auditEntries.impersonatorId")
    .select([
      "auditEntries.id",
      "auditEntries.at",
      "auditEntries.actorName",
      "auditEntries.message",
      "impersonator.email as impersonatorEmail",
    ])
    .where("auditEntries.userId", "=", userId)
    .orderBy("auditEntries.id", "desc")
    .limit(limit)
    .execute();
