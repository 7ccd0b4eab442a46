import { sql } from "kysely";
import { type Dialect, getDb } from "~db/connection.server";
import { createUser } from "./factories";

const SYMBOLS = "'0123456789ABCDEFGHIJKLMNOPQRSTUVWYZ'";
const COUNTRIES = [826, 276, 250, 380];

/** SQL for the code of a number in base 35: four characters, none of them X. */
const codeOf = [42_875, 1225, 35, 1].map((place) => `substr(${SYMBOLS}, (i / ${place}) % 35 + 1, 1)`).join(" || ");

/**
 * Fills the register with the codes of the numbers from `from` (inclusive) to `to` (exclusive), with statements of the database itself: ten
 * codes for each company `partsN example gmbh`, a hundred cities `cityN`, four countries.
 */
export async function fillRegister(dialect: Dialect, from: number, to: number): Promise<void> {
  const { id: userId, companyId } = await createUser();
  const flag = (on: boolean) => (dialect === "postgres" ? String(on) : on ? "1" : "0");
  const company = "'parts' || (i / 10) || ' example gmbh'";
  const country = `case i % 4 ${COUNTRIES.map((id, rest) => `when ${rest} then ${id}`).join(" ")} end`;
  const numbers = `with recursive numbers(i) as (select ${from} union all select i + 1 from numbers where i + 1 < ${to})`;
  const now = "'2026-01-01T00:00:00.000Z'";
  await sql
    .raw(
      `${numbers} insert into codes (user_id, company_id, code_type, code, subcode, status, entity_name, sbe_can_register,
        use_company_address, use_physical_address, sort_company, sort_email, sort_entity, sort_city, country_id, search_text, created_at, updated_at)
      select ${userId}, ${companyId}, 'Full', ${codeOf}, '', 'Registered', 'Plant ' || i, ${flag(true)}, ${flag(true)}, ${flag(true)},
        ${company}, 'info@parts' || (i / 10) || '.example', 'plant ' || i, 'city' || (i % 100), ${country}, ${codeOf} || ' ' || ${company}, ${now}, ${now} from numbers`,
    )
    .execute(getDb());
  const words = [
    ["company", "'parts' || (i / 10)"],
    ["company", "'example'"],
    ["company", "'gmbh'"],
    ["city", "'city' || (i % 100)"],
  ];
  for (const [field, word] of words)
    await sql
      .raw(
        `${numbers} insert into code_words (field, word, code_id)
        select '${field}', ${word}, codes.id from numbers join codes on codes.code = ${codeOf} and codes.subcode = ''`,
      )
      .execute(getDb());
  await sql.raw(dialect === "postgres" ? "vacuum analyze" : "analyze").execute(getDb()); // as the database does by itself after some time
}
