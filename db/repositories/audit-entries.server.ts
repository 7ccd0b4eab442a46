import { type DbOrTrx } from "../connection.server";

/**
 * The latest entries about an account, newest first: in the order of time, which is not that of their numbers where one was dated back. Who acted is named by the e-mail of that time and, since accounts can share one, by id
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
    .orderBy("auditEntries.at", "desc")
    .orderBy("auditEntries.id", "desc")
    .limit(limit)
    .execute();

/** Whether this person placed a certificate's order: it is theirs, or they placed it while acting as the owner. */
export async function hasPlacedOrder(
  db: DbOrTrx,
  certificate: { id: number; userId: number },
  userId: number,
): Promise<boolean> {
  if (certificate.userId === userId) return true;
  const row = await db
    .selectFrom("auditEntries")
    .select("id")
    .where("certificateId", "=", certificate.id)
    .where("event", "=", "order.created")
    .where((eb) => eb.or([eb("actorId", "=", userId), eb("impersonatorId", "=", userId)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
