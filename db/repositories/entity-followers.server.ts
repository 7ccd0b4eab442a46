import { type DbOrTrx, type Trx } from "../connection.server";

/** Returns a query for the followers of an entity who can log in, each with whether they are still members of the company for which they follow. */
const selectFollowers = (db: DbOrTrx) =>
  db
    .selectFrom("entityFollowers as follower")
    .innerJoin("users", "users.id", "follower.userId")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.userId", "=", "follower.userId")
        .onRef("memberships.companyId", "=", "follower.companyId"),
    )
    .select(["follower.id", "follower.userId", "memberships.companyId"])
    .select((eb) =>
      eb
        .exists(
          eb.selectFrom("codes").select("codes.id").whereRef("codes.companyId", "=", "memberships.companyId").limit(1),
        )
        .as("hasCode"),
    )
    .where("users.isDisabled", "=", false)
    .where("users.mergedInto", "is", null);

/** Returns who follows an entity and can log in, in the order in which they began. `hasCode` says whether their company may search. */
export const listFollowers = (db: DbOrTrx, codeId: number) =>
  selectFollowers(db).where("follower.codeId", "=", codeId).orderBy("follower.id").execute();

/** Returns a follower with the entity, or null when this person does not follow it any more. */
export const findFollower = async (db: DbOrTrx, id: number) =>
  (await db
    .selectFrom("entityFollowers as follower")
    .innerJoin("codes", "codes.id", "follower.codeId")
    .select(["follower.userId", "follower.codeId", "codes.codeType", "codes.code", "codes.subcode", "codes.entityName"])
    .where("follower.id", "=", id)
    .executeTakeFirst()) ?? null;

/** Returns whether a person follows an entity. */
export const isFollowing = async (db: DbOrTrx, userId: number, codeId: number): Promise<boolean> =>
  (await db
    .selectFrom("entityFollowers")
    .select("id")
    .where("userId", "=", userId)
    .where("codeId", "=", codeId)
    .executeTakeFirst()) !== undefined;

/** Returns the entities that a person follows, by code. */
export const listFollowed = (db: DbOrTrx, userId: number) =>
  db
    .selectFrom("entityFollowers as follower")
    .innerJoin("codes", "codes.id", "follower.codeId")
    .innerJoin("companies", "companies.id", "codes.companyId")
    .select(["codes.id", "codes.codeType", "codes.code", "codes.subcode", "codes.entityName", "codes.status"])
    .select(["companies.name as company", "follower.followedAt"])
    .where("follower.userId", "=", userId)
    .orderBy("codes.code")
    .orderBy("codes.subcode")
    .execute();

/** Begins to tell a person of changes at an entity. Returns false when that was so already. */
export async function insertFollower(
  trx: Trx,
  row: { codeId: number; userId: number; companyId: number; followedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("entityFollowers")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0n) > 0;
}

/** Returns false when the person did not follow the entity. */
export async function deleteFollower(trx: Trx, userId: number, codeId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("entityFollowers")
    .where("userId", "=", userId)
    .where("codeId", "=", codeId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
