import { searchWords } from "~/lib/search-words";
import { type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

/** Rows in one statement. Databases limit the number of parameters. */
const BATCH = 2000;

type Searched = Pick<Row<"codes">, "id" | "sortCompany" | "sortCity">;

const wordsOf = ({ id, sortCompany, sortCity }: Searched): NewRow<"codeWords">[] => [
  ...searchWords(sortCompany).map((word) => ({ field: "company" as const, word, codeId: id })),
  ...searchWords(sortCity).map((word) => ({ field: "city" as const, word, codeId: id })),
];

/** Stores the words by which new codes are searched. */
export async function insertCodeWords(trx: Trx, codes: readonly Searched[]): Promise<void> {
  const rows = codes.flatMap(wordsOf);
  for (let from = 0; from < rows.length; from += BATCH)
    await trx
      .insertInto("codeWords")
      .values(rows.slice(from, from + BATCH))
      .execute();
}

/** Replaces the search words of these codes, based on the stored rows. */
export async function replaceCodeWords(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom("codeWords").where("codeId", "in", ids).execute();
  const codes = await trx
    .selectFrom("codes")
    .select(["id", "sortCompany", "sortCity"])
    .where("id", "in", ids)
    .execute();
  await insertCodeWords(trx, codes);
}
