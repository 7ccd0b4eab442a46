import { type DbOrTrx } from "../connection.server";

const withOwner = (db: DbOrTrx) =>
  db
    .selectFrom("codes")
    .innerJoin("users", "users.id", "codes.userId")
    .innerJoin("companies", "companies.id", "users.companyId")
    .selectAll("codes")
    .select(["companies.name as company", "users.email"]);

/** Returns a code with its owner's company and email address, or undefined. */
export const findWholeCode = (db: DbOrTrx, id: number) => withOwner(db).where("codes.id", "=", id).executeTakeFirst();

/**
 * Returns codes with their owners' companies and email addresses, in the order in which they were registered. With `ownerId` only those of
 * this user, otherwise those of all users.
 */
export function listWholeCodes(
  db: DbOrTrx,
  ownerId: number | undefined,
  { offset, limit }: { offset: number; limit: number },
) {
  const codes = ownerId === undefined ? withOwner(db) : withOwner(db).where("codes.userId", "=", ownerId);
  return codes.orderBy("codes.id").limit(limit).offset(offset).execute();
}

export type WholeCodeRow = Awaited<ReturnType<typeof listWholeCodes>>[number];
