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

/** Returns who caused these events of a certificate's order: the ids of the actor and of whoever acted as the actor. */
export async function listOrderActors(
  db: DbOrTrx,
  { id, orderId }: { id: number; orderId: number },
  events: readonly string[],
): Promise<{ event: string; ids: number[] }[]> {
  const rows = await db
    .selectFrom("auditEntries")
    .select(["event", "actorId", "impersonatorId"])
    .where("certificateId", "=", id)
    .where("orderId", "=", orderId)
    .where("event", "in", events)
    .execute();
  return rows.map(({ event, actorId, impersonatorId }) => ({
    event,
    ids: [actorId, impersonatorId].filter((actor) => actor !== null),
  }));
}
