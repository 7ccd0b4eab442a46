import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow } from "../tables";

/** Stores what a member of staff has written about an order. */
export async function insertOrderComment(trx: Trx, comment: NewRow<"orderComments">): Promise<void> {
  await trx.insertInto("orderComments").values(comment).execute();
}

/** Returns all comments about the order of a certificate with the names of those who wrote them, the latest first. */
export const listOrderComments = (db: DbOrTrx, certificateId: number) =>
  db
    .selectFrom("orderComments")
    .innerJoin("users", "users.id", "orderComments.writtenBy")
    .select(["orderComments.id", "orderComments.text", "orderComments.writtenAt", "users.firstName", "users.lastName"])
    .where("orderComments.certificateId", "=", certificateId)
    .orderBy("orderComments.id", "desc")
    .execute();

/** Returns how many comments there are about the orders of these certificates, by certificate. Those without any are left out. */
export async function countOrderComments(db: DbOrTrx, certificateIds: readonly number[]): Promise<Map<number, number>> {
  if (certificateIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("orderComments")
    .select((eb) => ["certificateId", eb.fn.countAll<number>().as("count")])
    .where("certificateId", "in", certificateIds)
    .groupBy("certificateId")
    .execute();
  return new Map(rows.map(({ certificateId, count }) => [certificateId, count]));
}

/** Returns whether this person has written the same about the order after the comment with the id `seen`. */
export async function hasCommentSince(
  trx: Trx,
  { certificateId, writtenBy, text }: { certificateId: number; writtenBy: number; text: string },
  seen: number,
): Promise<boolean> {
  const same = trx
    .selectFrom("orderComments")
    .select("id")
    .where("certificateId", "=", certificateId)
    .where("writtenBy", "=", writtenBy)
    .where("text", "=", text)
    .where("id", ">", seen);
  return (await same.limit(1).executeTakeFirst()) !== undefined;
}
