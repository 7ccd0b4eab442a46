import { type DbOrTrx } from "../connection.server";

/** Returns the accounts without rights of staff that registered themselves before this time and never confirmed their address. */
export const listUnconfirmed = (db: DbOrTrx, before: Date) =>
  db
    .selectFrom("users")
    .select(["id", "emailVerifiedAt", "lastLoginAt", "createdAt", "erasedAt"])
    .where("emailVerifiedAt", "is", null)
    .where("erasedAt", "is", null)
    .where("mergedInto", "is", null)
    .where("lastLoginAt", "is not", null)
    .where("createdAt", "<", before.toISOString())
    .orderBy("id")
    .execute();

interface Ended {
  before: Date;
  limit: number;
}

/** Deletes up to `limit` invitations that were used or withdrawn, or have expired, before this time. Returns how many. */
export async function deleteEndedInvitations(db: DbOrTrx, { before, limit }: Ended): Promise<number> {
  const timestamp = before.toISOString();
  const ended = db
    .selectFrom("invitations")
    .select("id")
    .where((eb) =>
      eb.or([eb("endedAt", "<", timestamp), eb.and([eb("endedAt", "is", null), eb("expiresAt", "<", timestamp)])]),
    )
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom("invitations").where("id", "in", ended).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes up to `limit` requests to a second user administrator that were decided or have expired before this time. Returns how many. */
export async function deleteEndedRequests(db: DbOrTrx, { before, limit }: Ended): Promise<number> {
  const timestamp = before.toISOString();
  const ended = db
    .selectFrom("dualControlRequests")
    .select("id")
    .where((eb) =>
      eb.or([eb("decidedAt", "<", timestamp), eb.and([eb("decidedAt", "is", null), eb("expiresAt", "<", timestamp)])]),
    )
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom("dualControlRequests").where("id", "in", ended).executeTakeFirst();
  return Number(numDeletedRows);
}
