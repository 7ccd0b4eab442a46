import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { getConnection, getDb } from "~db/connection.server";
import { codesQuery } from "~db/repositories/code-list.server";
import {
  type CodeCondition,
  foundCodes,
  MOST_FOUND,
  searchCodes,
  searchStatement,
} from "~db/repositories/code-search.server";
import { fillRegister } from "../support/many-codes";
import { planOf } from "../support/plans";
import { usePortal } from "../support/portal";

usePortal();

const CODES = 30_000;

const company = (prefix: string): CodeCondition => ({ by: "word", field: "company", prefix });
const city = (prefix: string): CodeCondition => ({ by: "word", field: "city", prefix });
const code = (prefix: string, subcode = ""): CodeCondition => ({ by: "code", code: prefix, subcode });
const country: CodeCondition = { by: "country", countryId: 276 };

beforeAll(() => fillRegister(getConnection().dialect, 0, CODES), 300_000);

const planOfSearch = (first: CodeCondition, others: readonly CodeCondition[]) =>
  planOf(searchStatement(first, others, MOST_FOUND + 1));

describe("a search of a large register", () => {
  test.each([
    ["company", company("parts42"), []],
    ["a company's common word", company("gmbh"), []],
    ["city", city("city42"), []],
    ["code", code("0A"), []],
    ["code and sub code", code("00AB", "0"), []],
    ["country", country, []],
    ["everything", code("00"), [company("gmbh"), city("city4"), country]],
    ["company and city", company("parts1"), [city("city42")]],
    ["city and country", city("city42"), [country, company("example")]],
    ["country and company", country, [company("gmbh")]],
  ])("[SRC-01] by %s reads indexes in their order", async (_what, first, others) => {
    const plan = await planOfSearch(first, others);
    expect(plan).toMatch(getConnection().dialect === "postgres" ? /Index( Only)? Scan/ : /^SEARCH .* USING/);
    expect(plan).not.toMatch(/Seq Scan|Sort|\bSCAN\b|TEMP B-TREE/);
  });

  test.each(["code", "company", "city", "country", "status"] as const)(
    "[SRC-02] reads the found rows by id before sorting them by %s",
    async (key) => {
      const { ids } = await searchCodes(getDb(), [company("gmbh")]);
      const query = foundCodes(getDb(), ids, { sort: { key, direction: "asc" }, offset: 0, limit: 10 });
      const isPostgres = getConnection().dialect === "postgres";
      const rows = await query.explain<object>(undefined, isPostgres ? undefined : sql`query plan`);
      const plan = rows.map((row) => Object.values(row).join(" ")).join("\n");
      expect(plan).toMatch(isPostgres ? /Index Cond: \(.*\bid = / : /SEARCH codes USING INTEGER PRIMARY KEY/);
      expect(plan).not.toMatch(/Seq Scan on codes|SCAN codes USING/);
    },
  );

  test.each(["code", "company", "email", "entityName"] as const)(
    "[COD-01] everybody's codes by %s come from an index",
    async (key) => {
      const query = codesQuery(getDb(), { terms: [] }, { sort: { key, direction: "asc" }, offset: 0, limit: 10 });
      const isPostgres = getConnection().dialect === "postgres";
      const rows = await query.explain<object>(undefined, isPostgres ? undefined : sql`query plan`);
      const plan = rows.map((row) => Object.values(row).join(" ")).join("\n");
      expect(plan).toMatch(/SCAN \w+ USING|Index (Only )?Scan/);
      // Only rows that are equal in the column of the index may still be sorted.
      expect(plan).not.toMatch(
        /Seq Scan on codes|(?<!Incremental )Sort {2}|SCAN codes(?! USING)|TEMP B-TREE FOR ORDER/,
      );
    },
  );

  test("[SRC-01] begins with the most selective condition and finds the same in any order", async () => {
    const conditions = [company("gmbh"), country, city("city41"), company("parts4")];
    const found = await searchCodes(getDb(), conditions);
    // The words parts4, parts40 to parts49 and parts400 to parts499 belong to 1,110 codes. One of each hundred is in city41, and every
    // fourth is in Germany.
    expect(found.hasMore).toBe(false);
    expect(found.ids.length).toBeGreaterThan(0);
    expect(await searchCodes(getDb(), conditions.toReversed())).toEqual(found);
  });

  test("[SRC-02] finds at most 1,000 codes and says that there are more", async () => {
    const all = await searchCodes(getDb(), [company("gmbh")]);
    expect([all.ids.length, new Set(all.ids).size, all.hasMore]).toEqual([1000, 1000, true]);
    const exact = await searchCodes(getDb(), [company("gmbh"), code("00")]); // 35 × 35 = 1225
    expect([exact.ids.length, exact.hasMore]).toEqual([1000, true]);
    const fewer = await searchCodes(getDb(), [company("parts2"), company("gmbh")]);
    expect([fewer.ids.length, fewer.hasMore]).toEqual([1000, true]);
    const one = await searchCodes(getDb(), [company("parts2999"), company("gmbh")]);
    expect([one.ids.length, one.hasMore]).toEqual([10, false]);
  });

  test("[SRC-02] counts a code once, however many of its words match", async () => {
    for (const word of ["city77a", "city77b", "city77c"])
      await sql`insert into code_words (field, word, code_id)
        select 'city', ${word}, code_id from code_words where field = 'city' and word = 'city77'`.execute(getDb());
    for (const conditions of [[city("city77")], [city("city77"), company("gmbh")]]) {
      const { ids, hasMore } = await searchCodes(getDb(), conditions);
      expect([ids.length, new Set(ids).size, hasMore]).toEqual([300, 300, false]);
    }
  });
});
