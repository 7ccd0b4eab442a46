import { type DbOrTrx } from "../connection.server";

const withOwner = (db: DbOrTrx) =>
  db
    .selectFrom("codes")
    .innerJoin("users", "users.id", "codes.userId")
    .selectAll("codes")
    .select(["users.company", "users.email"]);

/** A code with its owner's company and e-mail address, or undefined. */
export const findWholeCode = (db: DbOrTrx, id: number) => withOwner(db).where("codes.id", "=", id).executeTakeFirst();

/** Codes likewise, in the order in which they were registered. `ownerId`: only this user's; undefined = everybody's. */
export function listWholeCodes(
  db: DbOrTrx,
  ownerId: number | undefined,
  { offset, limit }: { offset: number; limit: number },
) {
  const codes = ownerId === undefined ? withOwner(db) : withOwner(db).where("codes.userId", "=", ownerId);
  return codes.orderBy("codes.id").limit(limit).offset(offset).execute();
}

export type WholeCodeRow = Awaited<ReturnType<typeof listWholeCodes>>[number];
