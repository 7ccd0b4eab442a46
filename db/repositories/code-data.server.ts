import { type DbOrTrx } from "../connection.server";

const withOwner = (db: DbOrTrx) =>
  db
    .selectFrom("codes")
    .innerJoin("users", "users.id", "codes.userId")
    .innerJoin("companies", "companies.id", "codes.companyId")
    .selectAll("codes")
    .select(["companies.name as company", "users.email", "users.firstName", "users.lastName"]);

/** Returns a code with its owner's company and email address, or undefined. */
export const findWholeCode = (db: DbOrTrx, id: number) => withOwner(db).where("codes.id", "=", id).executeTakeFirst();

/**
 * Returns codes with their owners' companies and email addresses, in the order in which they were registered. With `companyId` only
 * those of this company, otherwise those of all companies.
 */
export function listWholeCodes(
  db: DbOrTrx,
  companyId: number | undefined,
  { offset, limit }: { offset: number; limit: number },
) {
  const codes = companyId === undefined ? withOwner(db) : withOwner(db).where("codes.companyId", "=", companyId);
  return codes.orderBy("codes.id").limit(limit).offset(offset).execute();
}

export type WholeCodeRow = Awaited<ReturnType<typeof listWholeCodes>>[number];
