import { type DbOrTrx } from "../connection.server";

/**
 * The latest entries about an account, newest first. Who acted is named by the e-mail of that time and, since accounts can share one, by id
 * and today's user name; likewise the administrator who acted as the person.
 */
export const listAuditEntriesAbout = (db: DbOrTrx, userId: number, limit: number) =>
  db
    .selectFrom("auditEntries")
    .leftJoin("users as actor", "actor.id", "auditEntries.actorId")
    .leftJoin("users as impersonator", "impersonator.id", "auditEntries.impersonatorId")
    .select([
      "auditEntries.id",
      "auditEntries.at",
      "auditEntries.actorId",
      "auditEntries.actorName",
      "actor.username as actorUsername",
      "auditEntries.message",
      "auditEntries.impersonatorId",
      "impersonator.email as impersonatorEmail",
      "impersonator.username as impersonatorUsername",
    ])
    .where("auditEntries.userId", "=", userId)
    .orderBy("auditEntries.id", "desc")
    .limit(limit)
    .execute();
