import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { getConnection, getDb } from "~db/connection.server";
import { type AuditSearch, auditSearchStatement } from "~db/repositories/audit-search.server";
import { companiesQuery } from "~db/repositories/company-list.server";
import { companyNotesQuery } from "~db/repositories/company-notes.server";
import { partQueries } from "~db/repositories/company-parts.server";
import { createAdmin, createUser } from "../support/factories";
import { fillCertificates } from "../support/many-certificates";
import { fillRegister } from "../support/many-codes";
import { fillEntries } from "../support/many-entries";
import { createOwnerOfMany, fillOrders } from "../support/many-orders";
import { planOf, planOfQuery, searchesBy } from "../support/plans";
import { usePortal } from "../support/portal";

usePortal();

const isPostgres = () => getConnection().dialect === "postgres";
const COMPANIES = 5000;
let companyId: number;

/** Stores companies without members, with a note and a domain each, and makes the user a member of all of them. */
async function fillCompanies(userId: number): Promise<void> {
  const numbers = `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${COMPANIES})`;
  const now = "'2026-01-01T00:00:00.000Z'";
  const from = 500_000;
  await sql
    .raw(
      `${numbers} insert into companies (id, name, sort_name, created_at, updated_at)
       select ${from} + i, 'Parts ' || i, 'parts ' || i, ${now}, ${now} from numbers`,
    )
    .execute(getDb());
  await sql
    .raw(
      `insert into memberships (company_id, user_id, role, joined_at)
       select id, ${userId}, 'reader', ${now} from companies where id > ${from}`,
    )
    .execute(getDb());
  await sql
    .raw(
      `insert into company_notes (company_id, written_by, written_at, text)
       select id, ${userId}, ${now}, 'A note.' from companies where id > ${from}`,
    )
    .execute(getDb());
  await sql
    .raw(
      `insert into company_domains (company_id, name, created_by, created_at, token, challenge_ends_at)
       select id, 'parts-' || id || '.example.com', ${userId}, ${now}, 'x', ${now} from companies where id > ${from}`,
    )
    .execute(getDb());
}

/** Stores an invoice of each order. */
const fillInvoices = () =>
  sql
    .raw(
      `insert into invoices (kind, year, number, order_id, round, total_cents, content, issued_at)
       select 'invoice', 2025, id, id, 0, 100, '{}', '2026-01-01T00:00:00.000Z' from orders`,
    )
    .execute(getDb());

beforeAll(async () => {
  const owner = await createUser();
  companyId = owner.companyId;
  await fillCompanies((await createAdmin()).id);
  await fillOrders(getConnection().dialect, (await createOwnerOfMany()).id, 0, 10_000);
  await fillCertificates(3000, { isRevoked: false });
  await fillCertificates(20, { isRevoked: false, owner });
  await fillInvoices();
  await fillRegister(getConnection().dialect, 0, 5000);
  await fillEntries(getConnection().dialect, owner.id, 0, 20_000);
  await sql.raw(isPostgres() ? "vacuum analyze" : "analyze").execute(getDb()); // as the database does by itself after some time
}, 300_000);

/** Matches a plan that reads all rows of a table with what companies own. */
const ALL_ROWS = /(Seq Scan on|SCAN) (memberships|certificates|codes|orders|invoices|company_notes|audit_entries)\b/;

describe("the list of many companies", () => {
  test.each([
    { key: "name", direction: "asc" },
    { key: "name", direction: "desc" },
    { key: "number", direction: "asc" },
    { key: "number", direction: "desc" },
  ] as const)("is read by $key, $direction, from an index in its order", async (sort) => {
    const plan = await planOfQuery(
      companiesQuery(getDb(), { terms: [], without: [companyId] }, { sort, offset: 10, limit: 10 }),
    );
    expect(plan).toMatch(isPostgres() ? /Index (Only )?Scan/ : /^SCAN companies/m);
    expect(plan).not.toMatch(/Seq Scan|-> +Sort |^Sort|TEMP B-TREE/);
  });
});

describe("the page of a company", () => {
  test.each(Object.entries(partQueries))("reads the part %s by an index of the company", async (_name, query) => {
    const plan = await planOfQuery(query(getDb(), companyId));
    expect(plan).toMatch(searchesBy("company_id"));
    expect(plan).not.toMatch(ALL_ROWS);
  });

  test("reads the notes by an index of the company", async () => {
    const plan = await planOfQuery(companyNotesQuery(getDb(), companyId, { direction: "desc", offset: 0, limit: 10 }));
    expect(plan).toMatch(searchesBy("company_id"));
    expect(plan).not.toMatch(/(Seq Scan on|SCAN) company_notes/);
  });

  test.each(["order_id", "certificate_id", "code_id"] as const)(
    "reads the history by %s from what the company owns, not from the whole audit trail",
    async (column) => {
      const search: AuditSearch = { groups: [], text: "", from: null, before: null, direction: "desc" };
      const plan = await planOf(auditSearchStatement({ column, companyId }, search, 1001));
      expect(plan).toMatch(searchesBy("company_id"));
      expect(plan).toMatch(searchesBy(column));
      expect(plan).not.toMatch(ALL_ROWS);
    },
  );

  test("reads the history from before people could share a company by an index of the account", async () => {
    const search: AuditSearch = { groups: [], text: "", from: null, before: null, direction: "desc" };
    const former = { column: "user_id", value: companyId, before: new Date().toISOString() } as const;
    const plan = await planOf(auditSearchStatement(former, search, 1001));
    expect(plan).toMatch(searchesBy("user_id"));
    expect(plan).not.toMatch(ALL_ROWS);
  });
});
