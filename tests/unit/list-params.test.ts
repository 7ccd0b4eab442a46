import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { searchTerms } from "~/domain/certificates/catalogue/list-search.server";
import { readListParams, withListPlace } from "~/domain/certificates/catalogue/certificate-list";
import { escapeLike, pagesOf } from "~/lib/list-params";

const read = (query: string) => readListParams(new URLSearchParams(query));
const first = { page: 1, size: 10, sort: { key: "id", direction: "desc" }, search: "", expires: null, selected: null };

describe("[CER-02] the list's place in the URL", () => {
  test("defaults", () => {
    expect(read("")).toEqual(first);
  });

  test("everything", () => {
    const query = "page=3&size=25&sort=commonName.asc&search=edi&expires=60&selected=10466";
    const params = read(query);
    expect(params).toEqual({
      page: 3,
      size: 25,
      sort: { key: "commonName", direction: "asc" },
      search: "edi",
      expires: 60,
      selected: 10466,
    });
    expect(withListPlace("/x", params)).toBe(`/x?${query}`);
  });

  test.each([
    "page=0",
    "page=-1",
    "page=x",
    "page=1.5",
    "size=11",
    "size=",
    "sort=password.asc",
    "sort=id.up",
    "sort=id",
    "expires=31",
    "selected=x",
  ])("%s is the default", (query) => {
    expect(read(query)).toEqual(first);
    expect(withListPlace("/x", read(query))).toBe("/x");
  });

  test("reading never fails, and what was written reads back the same", () => {
    const names = fc.constantFrom("page", "size", "sort", "search", "expires", "selected", "other");
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.string())), (pairs) => {
        const params = readListParams(new URLSearchParams(pairs));
        const url = new URL(withListPlace("/x", params), "http://portal.test");
        expect(readListParams(url.searchParams)).toEqual(params);
      }),
    );
  });

  test("control characters leave the search, white space becomes one space, and the end of a cut has none", () => {
    expect(read("search=%00").search).toBe("");
    expect(read("search=a%00b%1B%7F%C2%85+%00+c%09%0Ad").search).toBe("ab c d");
    expect(read(`search=${"a".repeat(199)}+b`).search).toBe("a".repeat(199));
  });

  test("pages", () => {
    expect([pagesOf(0, 10), pagesOf(10, 10), pagesOf(11, 10)]).toEqual([1, 1, 2]);
  });
});

describe("[CER-02] search terms", () => {
  test("a day and a month as DD/MM/YYYY and MM/YYYY", () => {
    const [day, month] = searchTerms("31/12/2026 12/2026");
    expect(day?.period).toEqual({ from: "2026-12-31T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" });
    expect(month?.period).toEqual({ from: "2026-12-01T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" });
  });

  test("the last years that have no year with four digits after them are plain text", () => {
    expect(searchTerms("31/12/9999 12/9999").map(({ period }) => period)).toEqual([null, null]);
    expect(searchTerms("12/9998")[0]?.period?.to).toBe("9999-01-01T00:00:00.000Z");
  });

  test("words are folded beyond ASCII, and composed", () => {
    expect(searchTerms("MU\u0308LLER \u00d6L").map(({ text }) => text)).toEqual(["m\u00fcller", "\u00f6l"]);
  });

  test.each(["31/02/2026", "00/01/2026", "2026-12-31", "1/13/2026"])("%s is no day", (word) => {
    expect(searchTerms(word)[0]?.period).toBeNull();
  });

  test("order numbers with and without prefix, ids, statuses, serial numbers with colons", () => {
    const [order, id, status, serial, huge] = searchTerms("SO-2291 10466 revoked 0A:1B:2C 99999999999");
    expect([order?.number, id?.number, huge?.number]).toEqual([2291, 10466, null]);
    expect(status?.statuses).toEqual(["Revoked"]);
    expect(serial?.text).toBe("0a1b2c");
  });

  test("wildcards lose their meaning", () => {
    expect(escapeLike("50%_\\")).toBe("50\\%\\_\\\\");
  });
});
