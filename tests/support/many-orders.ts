import { sql } from "kysely";
import { type Dialect, getDb } from "~db/connection.server";
import { createUser } from "./factories";

const choose = (of: readonly (string | number)[]) =>
  `case i % ${of.length} ${of.map((value, rest) => `when ${rest} then ${typeof value === "number" ? value : `'${value}'`}`).join(" ")} end`;

/** The id of the first order. */
const FIRST = 1_000_000;

/** Creates the owner of these orders. */
export const createOwnerOfMany = () => createUser({ username: "zz-many", email: "zz-many@example.org" });

/**
 * Fills the orders with the numbers from `from` (inclusive) to `to` (exclusive), with statements of the database itself: one order per
 * minute, ten for each company `PartsN Example GmbH`, four countries, statuses and types, one user.
 */
export async function fillOrders(dialect: Dialect, userId: number, from: number, to: number): Promise<void> {
  const no = dialect === "postgres" ? "false" : "0";
  const numbers = `with recursive numbers(i) as (select ${from} union all select i + 1 from numbers where i + 1 < ${to})`;
  const moment =
    dialect === "postgres"
      ? "timestamptz '2024-01-01 00:00:00Z' + i * interval '1 minute'"
      : "strftime('%Y-%m-%dT%H:%M:%fZ', '2024-01-01', '+' || i || ' minutes')";
  await sql
    .raw(
      `${numbers} insert into orders (id, purchase_order_type, user_id, company_id, status, purchase_order_number, created_at, updated_at, price_cents,
        discount_cents, net_cents, vat_rate, vat_cents, total_cents, invoice_address, country_id, company, is_maintenance, order_type,
        sort_company, sort_country, sort_user, invoice_number)
      select ${FIRST} + i, i % 2, ${userId}, (select company_id from users where id = ${userId}), ${choose(["Open", "Invoiced", "Paid", "Cancelled"])}, 'PO', ${moment}, ${moment}, i, 0, i, 0, 0, i, '{}',
        ${choose([826, 276, 250, 380])}, 'Parts' || (i / 10) || ' Example GmbH', ${no}, ${choose(["OFTP", "Full", "Basic", "Certificate"])},
        'parts' || (i / 10) || ' example gmbh', ${choose(["United Kingdom", "Germany", "France", "Italy"])}, 'zz-many',
        case when i % 2 = 0 then 'R-' || i end from numbers`,
    )
    .execute(getDb());
  for (const word of ["'parts' || (i / 10)", "'example'", "'gmbh'"])
    await sql
      .raw(`${numbers} insert into order_words (word, order_id) select ${word}, ${FIRST} + i from numbers`)
      .execute(getDb());
  await sql.raw(dialect === "postgres" ? "vacuum analyze" : "analyze").execute(getDb()); // as the database does by itself after some time
}

/** Fills the invoices with the numbers from `from` (inclusive) to `to` (exclusive): one of 2026 for each order of `fillOrders`. */
export async function fillInvoices(dialect: Dialect, from: number, to: number): Promise<void> {
  const moment = dialect === "postgres" ? "timestamptz '2026-01-01 00:00:00Z'" : "'2026-01-01T00:00:00.000Z'";
  await sql
    .raw(
      `with recursive numbers(i) as (select ${from} union all select i + 1 from numbers where i + 1 < ${to})
       insert into invoices (kind, year, number, order_id, round, total_cents, content, issued_at)
       select 'invoice', 2026, 1 + i, ${FIRST} + i, 1, 0, '{}', ${moment} from numbers`,
    )
    .execute(getDb());
  await sql.raw(dialect === "postgres" ? "vacuum analyze invoices" : "analyze invoices").execute(getDb());
}
