import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";
import { replaceCodeWords } from "./code-words.server";

const COLUMNS = ["sortCompany", "sortEmail", "sortEntity", "sortCity", "countryId", "searchText"] as const;

type RegisterColumns = Pick<Row<"codes">, (typeof COLUMNS)[number]>;

/** Returns an account's codes with ids above `after`, by id, with the columns for search and sorting. */
export const listCodesOf = (db: DbOrTrx, userId: number, { after, limit }: { after: number; limit: number }) =>
  db
    .selectFrom("codes")
    .select(["id", "codeType", "code", "subcode", "entityName", "useCompanyAddress"])
    .select(COLUMNS)
    .where("userId", "=", userId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();

/** Stores the columns for the search and sorting of a code if any of them has changed. */
export async function setRegisterColumns(
  trx: Trx,
  code: RegisterColumns & { id: number },
  columns: RegisterColumns,
): Promise<void> {
  if (COLUMNS.every((name) => code[name] === columns[name])) return;
  await trx.updateTable("codes").set(columns).where("id", "=", code.id).execute();
  if (code.sortCompany !== columns.sortCompany || code.sortCity !== columns.sortCity)
    await replaceCodeWords(trx, [code.id]);
}
