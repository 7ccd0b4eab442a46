import { sql } from "kysely";
import { type DbOrTrx } from "../connection.server";
import { isBehind, type Position } from "../keyset.server";
import { type CodeStatus } from "../tables/codes";

const withOwner = (db: DbOrTrx) =>
  db
    .selectFrom("codes")
    .innerJoin("users", "users.id", "codes.userId")
    .innerJoin("companies", "companies.id", "codes.companyId")
    .selectAll("codes")
    .select(["companies.name as company", "users.email", "users.firstName", "users.lastName"]);

/** Returns a code with its owner's company and email address, or undefined. */
export const findWholeCode = (db: DbOrTrx, id: number) => withOwner(db).where("codes.id", "=", id).executeTakeFirst();

/** Which codes are listed. Null stands for every status, and for codes however long ago they were changed. */
export interface WholeCodeFilter {
  /** Undefined for the codes of all companies. */
  companyId: number | undefined;
  status: CodeStatus | null;
  /** An ISO timestamp. */
  updatedSince: string | null;
}

/**
 * Returns codes with their owners' companies and email addresses, in the order in which they were registered or, with `updatedSince`, in that
 * of their last change.
 *
 * @param part The row behind which it begins, or how many rows are skipped, and how many there are at most.
 */
export function listWholeCodes(
  db: DbOrTrx,
  { companyId, status, updatedSince }: WholeCodeFilter,
  { behind, offset, limit }: { behind: Position | null; offset: number; limit: number },
) {
  const columns = { at: sql.ref("codes.updatedAt"), id: sql.ref("codes.id") };
  let codes = withOwner(db);
  if (companyId !== undefined) codes = codes.where("codes.companyId", "=", companyId);
  if (status) codes = codes.where("codes.status", "=", status);
  if (updatedSince) codes = codes.where("codes.updatedAt", ">=", updatedSince).orderBy("codes.updatedAt");
  if (behind) codes = codes.where(isBehind(columns, behind, "asc"));
  return codes.orderBy("codes.id").limit(limit).offset(offset).execute();
}

export type WholeCodeRow = Awaited<ReturnType<typeof listWholeCodes>>[number];
