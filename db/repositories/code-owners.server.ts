import { type DbOrTrx, type Trx } from "../connection.server";
import { type Row } from "../tables";
import { replaceCodeWords } from "./code-words.server";

const COLUMNS = ["sortCompany", "sortEmail", "sortEntity", "sortCity", "countryId", "searchText"] as const;

type RegisterColumns = Pick<Row<"codes">, (typeof COLUMNS)[number]>;

/**
 * Returns the codes that an account registered or its company owns, with ids above `after`, by id: the columns for search and sorting, and
 * what they are made of.
 */
export const listCodesOf = (
  db: DbOrTrx,
  { userId, companyId }: { userId: number; companyId: number },
  { after, limit }: { after: number; limit: number },
) =>
  db
    .selectFrom("codes")
    .innerJoin("users", "users.id", "codes.userId")
    .innerJoin("companies", "companies.id", "codes.companyId")
    .leftJoin("addresses as seat", "seat.id", "companies.companyAddressId")
    .select([
      "codes.id",
      "codes.codeType",
      "codes.code",
      "codes.subcode",
      "codes.entityName",
      "codes.useCompanyAddress",
    ])
    .select(COLUMNS.map((column) => `codes.${column}` as const))
    .select(["users.email", "companies.name as company", "seat.city as seatCity", "seat.country as seatCountryId"])
    .where((eb) => eb.or([eb("codes.userId", "=", userId), eb("codes.companyId", "=", companyId)]))
    .where("codes.id", ">", after)
    .orderBy("codes.id")
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
