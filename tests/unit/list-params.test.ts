import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { userList } from "~/domain/accounts/administration/user-list";
import { trailList } from "~/domain/audit/trail-list";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { searchTerms } from "~/domain/certificates/catalogue/list-search.server";
import { queueList } from "~/domain/certificates/queue/queue-list";
import { auditLogList } from "~/domain/codes/audit-log-list";
import { codeSearchList } from "~/domain/codes/code-search-list";
import { codeList } from "~/domain/codes/list/code-list";
import { mailQueueList } from "~/domain/mail/mail-queue-list";
import { salesOrderList } from "~/domain/orders/list/sales-order-list";
import { promotionCodeList } from "~/domain/orders/promotion-codes/promotion-code-list";
import { findPageOf, pagesOf } from "~/lib/list-params";
import { escapeLike } from "~db/like";

const readCertificates = (query: string) => certificateList.read(new URLSearchParams(query));
const first = {
  page: 1,
  size: 10,
  sort: { key: "id", direction: "desc" },
  search: "",
  expires: null,
  ends: null,
  began: null,
  state: null,
  companyId: null,
  tag: "",
  selected: null,
};

describe("[CER-02] the query string of the certificate list", () => {
  test("has defaults", () => {
    expect(readCertificates("")).toEqual(first);
  });

  test("can state everything", () => {
    const query =
      "page=3&size=25&sort=commonName.asc&search=edi&expires=60&ends=2026-12&began=2026-01&tag=plant+9&state=active&companyId=7&selected=10466";
    const params = readCertificates(query);
    expect(params).toEqual({
      page: 3,
      size: 25,
      sort: { key: "commonName", direction: "asc" },
      search: "edi",
      expires: 60,
      ends: "2026-12",
      began: "2026-01",
      state: "active",
      companyId: 7,
      tag: "plant 9",
      selected: 10466,
    });
    expect(certificateList.addTo("/x", params)).toBe(`/x?${query}`);
    expect(certificateList.addTo("/x?y=1", params)).toBe(`/x?y=1&${query}`);
    expect(certificateList.href(params, { page: 1, selected: null })).toBe(
      "/home/certificates?size=25&sort=commonName.asc&search=edi&expires=60&ends=2026-12&began=2026-01&tag=plant+9&state=active&companyId=7",
    );
    expect(certificateList.order(params).toString()).toBe("size=25&sort=commonName.asc");
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
    "companyId=x",
    "selected=x",
  ])("%s is replaced by the default", (query) => {
    expect(readCertificates(query)).toEqual(first);
    expect(certificateList.href(readCertificates(query))).toBe("/home/certificates");
  });

  test("control characters are removed from the search, white space becomes one space, and the search is cut without a trailing space", () => {
    expect(readCertificates("search=%00").search).toBe("");
    expect(readCertificates("search=a%00b%1B%7F%C2%85+%00+c%09%0Ad").search).toBe("ab c d");
    expect(readCertificates(`search=${"a".repeat(199)}+b`).search).toBe("a".repeat(199));
  });

  test("calculates the pages", () => {
    expect([pagesOf(0, 10), pagesOf(10, 10), pagesOf(11, 10)]).toEqual([1, 1, 2]);
  });

  test("rows are counted up to the next page and no further than 100,000, whatever page is requested", async () => {
    const endless = (page: number) => findPageOf({ page, size: 10 }, (limit) => Promise.resolve(limit));
    const found = await Promise.all([1, 999, 1000, 5000, 10_000_000].map(endless));
    expect(found.map(({ total }) => total)).toEqual([10_000, 10_000, 10_010, 50_010, 100_000]);
    expect(found.map(({ page }) => page)).toEqual([1, 999, 1000, 5000, 10_000]);
    expect(found.every(({ hasMore }) => hasMore)).toBe(true);
  });

  test("a page past the end is the last page", async () => {
    const found = await findPageOf({ page: 9, size: 10 }, () => Promise.resolve(25));
    expect(found).toEqual({ total: 25, hasMore: false, pages: 3, page: 3, offset: 20 });
  });
});

interface List<Params> {
  read: (query: URLSearchParams) => Params;
  query: (params: Params) => URLSearchParams;
}

const listAs = <Params extends object>(name: string, list: List<Params>, query: string) => {
  const read = (text: string) => list.read(new URLSearchParams(text));
  return { name, query, read, rewrite: (text: string) => list.query(read(text)).toString() };
};

/** Every list page, with a query string that has all its parameters in the order in which they are written. */
const LISTS = [
  listAs("certificates", certificateList, "page=3&size=25&sort=commonName.asc&search=edi&expires=60&selected=10466"),
  listAs("certificate queue", queueList, "page=2&size=50&sort=requestedAt.desc&search=edi&stage=ready"),
  listAs(
    "promotion codes",
    promotionCodeList,
    "page=2&size=100&sort=value.asc&search=2291&state=withdrawn&batch=abcdefghij-_klmnopqrst",
  ),
  listAs(
    "sales orders",
    salesOrderList,
    "page=2&size=25&sort=company.desc&from=01%2F02%2F2026&to=02%2F02%2F2026&company=edi+ag&status=Open&orderNumber=SO-1005&orderType=code&userName=ann&country=276&selected=2.9.10",
  ),
  listAs(
    "audit trail",
    trailList,
    "page=2&size=25&sort=recorded.asc&person=ann&event=user.created&reference=SO-1005&text=edi&from=01%2F02%2F2026&to=02%2F02%2F2026",
  ),
  listAs("mail queue", mailQueueList, "page=2&size=25&sort=tries.asc&search=ann%40example.test&state=held"),
  listAs("codes", codeList, "page=2&size=25&sort=email.desc&search=edi&show=codes&selected=7"),
  listAs(
    "code search",
    codeSearchList,
    "page=2&size=25&sort=city.desc&code=++++01&subCode=01&company=edi&city=K%C3%B6ln&country=276&selected=7",
  ),
  listAs("audit log of a code", auditLogList, "page=2&sort=email.asc"),
  listAs("users", userList, "page=2&size=25&sort=lastLogin.desc&search=ann&state=locked"),
];

const known = LISTS.flatMap(({ query }) => [...new URLSearchParams(query)]);

/** Query strings with any parameters, whose values are those of a list page or any text. */
const queries = fc
  .array(
    fc.tuple(
      fc.constantFrom(...new Set(known.map(([name]) => name)), "other"),
      fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...new Set(known.map(([, value]) => value)))),
    ),
  )
  .map((pairs) => new URLSearchParams(pairs).toString());

describe.each(LISTS)("[CER-02] the query string: $name", ({ query, read, rewrite }) => {
  test("is written again as it was read, byte for byte", () => {
    expect(rewrite(query)).toBe(query);
  });

  test("omits defaults", () => {
    expect(rewrite("")).toBe("");
  });

  test("is read without failing, and reads back the same", () => {
    fc.assert(
      fc.property(queries, (text) => {
        const { isAsked: _isReadOnly, ...params } = { isAsked: false, ...read(text) };
        expect(read(rewrite(text))).toMatchObject(params);
      }),
    );
  });
});

test("the code search without parameters has not been submitted", () => {
  const isAsked = (query: string) => codeSearchList.read(new URLSearchParams(query)).isAsked;
  expect([isAsked(""), isAsked("page=2&selected=3"), isAsked("code="), isAsked("country=276")]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test("ticked sales orders are counted once and sorted", () => {
  const params = salesOrderList.read(new URLSearchParams("selected=9.2.x.9&selected=4"));
  expect(params.selected).toEqual([2, 4, 9]);
  expect(salesOrderList.href(params, { selected: [12, 3] })).toBe("/home/sale-orders?selected=3.12");
});

describe("[CER-02] search terms", () => {
  test("match a day and a month as DD/MM/YYYY and MM/YYYY", () => {
    const [day, month] = searchTerms("31/12/2026 12/2026");
    expect(day?.period).toEqual({ from: "2026-12-31T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" });
    expect(month?.period).toEqual({ from: "2026-12-01T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" });
  });

  test("the last years before 9999 are plain text", () => {
    expect(searchTerms("31/12/9999 12/9999").map(({ period }) => period)).toEqual([null, null]);
    expect(searchTerms("12/9998")[0]?.period?.to).toBe("9999-01-01T00:00:00.000Z");
  });

  test("are folded beyond ASCII", () => {
    expect(searchTerms("MU\u0308LLER \u00d6L").map(({ text }) => text)).toEqual(["muller", "ol"]);
  });

  test.each(["31/02/2026", "00/01/2026", "2026-12-31", "1/13/2026"])("%s is not a day", (word) => {
    expect(searchTerms(word)[0]?.period).toBeNull();
  });

  test("match order numbers with and without prefix, ids, statuses, and serial numbers with colons", () => {
    const [order, id, status, serial, huge] = searchTerms("SO-2291 10466 revoked 0A:1B:2C 99999999999");
    expect([order?.number, id?.number, huge?.number]).toEqual([2291, 10466, null]);
    expect(status?.statuses).toEqual(["Revoked"]);
    expect(serial?.text).toBe("0a1b2c");
  });

  test("escape wildcards", () => {
    expect(escapeLike("50%_\\")).toBe("50\\%\\_\\\\");
  });
});
