import { type DbOrTrx } from "../connection.server";

/**
 * Returns the latest entries about an account, newest first by time. The order by time differs from the order by id when an entry was dated
 * back. The person who acted is named by the email of that time and, since accounts can share an email, by id and current user name. The
 * administrator who acted as that person is named in the same way.
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

/**
 * Returns whether this person placed the order of a certificate. That is so for the owner, and for whoever placed the order while acting as
 * the owner.
 */
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
