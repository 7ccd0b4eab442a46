import { beforeAll, describe, expect, test } from "vitest";
import { getConnection, getDb } from "~db/connection.server";
import {
  type CertificateFilter,
  type CertificatePart,
  certificatesPartQuery,
  certificatesQuery,
} from "~db/repositories/certificate-list.server";
import { codesQuery } from "~db/repositories/code-list.server";
import { countCodeOrders } from "~db/repositories/code-orders.server";
import { companiesQuery } from "~db/repositories/company-list.server";
import {
  certificateOrdersWithinQuery,
  invoicesWithinQuery,
  ordersWithinQuery,
  recordedWithinQuery,
} from "~db/repositories/exact-search.server";
import { companiesOfQuery, staffCompaniesQuery } from "~db/repositories/members.server";
import { type EventSearch, eventsQuery } from "~db/repositories/security-events.server";
import {
  findUsers,
  type UserFilter,
  type UserPart,
  usersPartQuery,
  usersQuery,
} from "~db/repositories/user-list.server";
import { loginStartStatement } from "~db/repositories/users.server";
import { findByRarest, idsContaining } from "~db/text-search.server";
import { fillAccounts, fillListedCertificates, fillSecurityEvents } from "../support/many-accounts";
import { fillRegister } from "../support/many-codes";
import { createOwnerOfMany, fillInvoices, fillOrders } from "../support/many-orders";
import { planOf, planOfQuery, searchesBy } from "../support/plans";
import { usePortal } from "../support/portal";

usePortal();

const ROWS = 20_000;
const isPostgres = () => getConnection().dialect === "postgres";
const now = new Date("2026-06-01T00:00:00Z");
const PAGE = { offset: 10, limit: 10 };

beforeAll(async () => {
  const { dialect } = getConnection();
  const owner = await createOwnerOfMany();
  await fillAccounts(dialect, 0, ROWS);
  await fillOrders(dialect, owner.id, 0, ROWS);
  await fillInvoices(dialect, 0, ROWS);
  await fillListedCertificates(dialect, owner, 0, ROWS);
  await fillRegister(dialect, 0, ROWS);
  await fillSecurityEvents(dialect, 0, ROWS);
}, 300_000);

/** Expects that the rows are read in the order of the list. Rows that are equal in the index may still be sorted. */
function expectInOrder(plan: string): void {
  expect(plan).toMatch(isPostgres() ? /Index (Only )?Scan/ : /^(SCAN|SEARCH) \w+ USING/m);
  expect(plan).not.toMatch(/Seq Scan on (codes|users)|(?<!Incremental )Sort {2}|TEMP B-TREE FOR ORDER/);
}

/** Matches a plan that reads every account. */
const ALL_USERS = /Seq Scan on users|SCAN users(?! USING INDEX users_rare)/;

const inBothDirections = <Key extends string>(...keys: readonly Key[]) =>
  keys.flatMap((key) => [{ key, direction: "asc" } as const, { key, direction: "desc" } as const]);

describe("the list of very many codes", () => {
  test.each(inBothDirections("code", "codeType", "subcode", "company", "email", "entityName", "status"))(
    "[COD-01] is read by $key, $direction, from an index in its order",
    async (sort) => {
      expectInOrder(await planOfQuery(codesQuery(getDb(), { terms: [] }, { sort, ...PAGE })));
    },
  );

  test("[COD-01] counts the orders of codes up to a limit", async () => {
    expect(await countCodeOrders(getDb(), undefined, 11)).toBe(11);
    expect(await countCodeOrders(getDb(), undefined, ROWS)).toBe(ROWS / 2);
  });
});

describe("the lists of staff", () => {
  test("[MAN-02] the companies that only staff use are found from the accounts of staff", async () => {
    const statements = [companiesOfQuery(getDb(), [1, 2]), staffCompaniesQuery(getDb(), [1, 2], [3, 4])];
    const plan = (await Promise.all(statements.map((statement) => planOfQuery(statement)))).join("\n");
    expect(plan).not.toMatch(ALL_USERS);
    expect(plan).not.toMatch(/(Seq Scan on|SCAN) (memberships|companies)\b/);
  });

  test("the security events of a person are found by indexes of the accounts, and then sorted", async () => {
    const people = { ids: [5], name: "user5" };
    const search: EventSearch = { event: null, people, addresses: null, from: null, before: null };
    const page = { direction: "desc", ...PAGE } as const;
    const plan = await planOfQuery(eventsQuery(getDb(), search, { people: true, addresses: false }, page));
    for (const column of ["actor_name", "user_id", "impersonator_id"]) expect(plan).toMatch(searchesBy(column));
    expect(plan).not.toMatch(/security_events_at\b/);
    expect(plan).not.toMatch(/(Seq Scan on|SCAN) security_events/);
  });
});

describe("the rows that a word of a search has found", () => {
  /** A thousand rows in no order, which are common enough for PostgreSQL to expect three of them early in any index. */
  const found = { word: 0, ids: Array.from({ length: 1000 }, (_, index) => 2_000_000_000 - index * 20) };
  const FIRST = { offset: 0, limit: 3 };
  const byName = { key: "name", direction: "asc" } as const;
  test.each([
    ["accounts", () => usersQuery(getDb(), { words: ["x"], found, now }, { sort: byName, ...FIRST })],
    ["companies", () => companiesQuery(getDb(), { terms: [], without: [], found }, { sort: byName, ...FIRST })],
    [
      "certificates",
      () =>
        certificatesQuery(
          getDb(),
          { terms: [], found },
          { sort: { key: "certificateRequestDate", direction: "desc" }, ...FIRST },
        ),
    ],
    ["codes", () => codesQuery(getDb(), { terms: [], found }, { sort: { key: "code", direction: "asc" }, ...FIRST })],
  ])("[GEN-04] of %s are sorted, and not looked for in an index of the sort order", async (_name, query) => {
    const plan = await planOfQuery(query());
    expect(plan).toMatch(isPostgres() ? /-> {2}(Sort|Incremental Sort)|^ *Sort/m : /TEMP B-TREE FOR ORDER/);
    expect(plan).toMatch(isPostgres() ? /ANY \(|_pkey/ : /INTEGER PRIMARY KEY/);
    expect(plan).not.toMatch(isPostgres() ? /Index (Only )?Scan using (?!\w+_pkey)/ : /SCAN \w+ USING/);
  });
});

describe("the list of very many accounts", () => {
  const filter: UserFilter = { words: [], now };

  test.each(inBothDirections("name", "company", "email", "lastLogin"))(
    "[MAN-02] is read by $key, $direction, from an index in its order",
    async (sort) => {
      const plan = await planOfQuery(usersQuery(getDb(), filter, { sort, ...PAGE }));
      if (isPostgres() || sort.key !== "lastLogin") return expectInOrder(plan);
      expect(plan).toMatch(/users_last_login/);
    },
  );

  test.each<[string, Partial<UserFilter>]>([
    ["disabled", { state: "Disabled" }],
    ["locked", { state: "Locked" }],
    ["merged", { state: "Merged" }],
    ["erased", { state: "Erased" }],
    ["administrators", { right: "admin" }],
  ])("[MAN-02] finds those that are %s by an index of them alone", async (_name, wanted) => {
    const sort = { key: "name", direction: "asc" } as const;
    const plan = await planOfQuery(usersQuery(getDb(), { ...filter, ...wanted }, { sort, ...PAGE }));
    expect(plan).toMatch(/users_rare_/);
    expect(plan).not.toMatch(ALL_USERS);
  });

  test("[AUD-02] people are found by the beginning of a login from two indexes", async () => {
    const plan = await planOf(loginStartStatement("user42", 21));
    expect(plan).toMatch(searchesBy("sort_username"));
    expect(plan).toMatch(searchesBy("email"));
    expect(plan).not.toMatch(ALL_USERS);
  });
});

describe("parts of words among very many rows", () => {
  test.each(["certificates", "certificate_contacts", "codes", "users", "companies"] as const)(
    "are found in %s by an index of trigrams",
    async (table) => {
      const plan = await planOf(idsContaining(table, "s1234"));
      expect(plan).toMatch(isPostgres() ? new RegExp(`Index Scan on ${table}_trigrams`) : /VIRTUAL TABLE INDEX/);
    },
  );

  test("the rarest word finds the rows, and the number of rows of a common word does not matter", async () => {
    const found = await findUsers(getDb(), { words: ["anna", "muster1999"], now });
    expect(found.found?.word).toBe(1);
    expect(found.found?.ids).toHaveLength(11); // 1999 and 19990 to 19999
    expect(await findByRarest(getDb(), [[idsContaining("users", "anna")]])).toBeNull();
    expect(await findByRarest(getDb(), [])).toBeNull();
  });
});

describe("the beginning of a number", () => {
  const range = { from: 1_000_000, to: 1_999_999 };
  const invoices = { kind: "invoice", years: { from: 2026, to: 2026 }, numbers: { from: 10, to: 1999 } } as const;
  const expectIndex = (plan: string, name: RegExp) => {
    expect(plan).toMatch(name);
    expect(plan).not.toMatch(/Seq Scan|^SCAN (?!\w+ USING)|(?<!Incremental )Sort {2}|TEMP B-TREE/m);
  };

  test("[SRC-03] of an order is a part of the index of ids, also for staff who see certificates only", async () => {
    expectIndex(await planOfQuery(ordersWithinQuery(getDb(), range, undefined, 10)), /orders_pkey|INTEGER PRIMARY KEY/);
    const ofCertificates = await planOfQuery(certificateOrdersWithinQuery(getDb(), range, 10));
    expectIndex(ofCertificates, /certificates_order_id|sqlite_autoindex_certificates|\(order_id>/);
  });

  test("[SRC-03] of an order of one company is looked for among its orders", async () => {
    const plan = await planOfQuery(ordersWithinQuery(getDb(), range, 5, 10));
    expect(plan).toMatch(/orders_company/);
    expect(plan).not.toMatch(/orders_pkey|Seq Scan|INTEGER PRIMARY KEY/);
  });

  test("[SRC-03] of an invoice is a part of the index of their numbers, and of one company looked for among its orders", async () => {
    expectIndex(
      await planOfQuery(invoicesWithinQuery(getDb(), invoices, undefined, 10)),
      isPostgres() ? /Index (Only )?Scan Backward using invoices_number/ : /year=\? AND number>\? AND number<\?/,
    );
    const ofOne = await planOfQuery(invoicesWithinQuery(getDb(), invoices, 5, 10));
    expect(ofOne).toMatch(/orders_company/);
    expect(ofOne).toMatch(isPostgres() ? /Index Scan using invoices_order / : /invoices USING INDEX \w+ \(order_id=\?/);
  });

  test("[SRC-03] of an invoice that was recorded by hand is a part of the index of these numbers", async () => {
    expectIndex(await planOfQuery(recordedWithinQuery(getDb(), "R-12", 10)), /orders_by_invoice/);
  });
});

describe("lists that programs read in parts", () => {
  const behind = { at: "2026-05-01T00:00:00.000Z", id: 7 };
  const changed = { key: "updatedAt", direction: "asc" } as const;
  const newest = { key: "id", direction: "desc" } as const;

  test.each<[string, CertificateFilter, CertificatePart["sort"]]>([
    ["by the last change", { terms: [] }, changed],
    ["of one status, by the last change", { terms: [], statuses: ["Issued"] }, changed],
    ["of one company, by the last change", { terms: [], companyId: 5 }, changed],
    ["the newest first", { terms: [] }, newest],
    ["of one status, the newest first", { terms: [], statuses: ["Issued"] }, newest],
  ])("[API-03] certificates %s are read from an index in their order", async (_name, filter, sort) => {
    const position = sort.key === "id" ? { ...behind, at: null } : behind;
    const plan = await planOfQuery(certificatesPartQuery(getDb(), filter, { sort, behind: position, limit: 10 }));
    expect(plan).toMatch(isPostgres() ? /Index (Only )?Scan/ : /^(SCAN|SEARCH) \w+ USING/m);
    expect(plan).not.toMatch(/Seq Scan|(?<!Incremental )Sort {2}|TEMP B-TREE FOR ORDER/);
  });

  test.each<[string, Partial<UserFilter>, UserPart["by"]]>([
    ["by the last change", {}, "updatedAt"],
    ["by id", {}, "id"],
  ])("[API-03] accounts %s are read from an index in their order", async (_name, wanted, by) => {
    const position = by === "id" ? { ...behind, at: null } : behind;
    const filter: UserFilter = { words: [], now, ...wanted };
    expectInOrder(await planOfQuery(usersPartQuery(getDb(), filter, { by, behind: position, limit: 10 })));
  });
});
