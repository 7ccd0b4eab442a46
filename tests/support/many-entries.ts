import { sql } from "kysely";
import { type Dialect, getDb } from "~db/connection.server";

/** The events of these entries, in turn. */
export const MANY_EVENTS = ["certificate.issued", "order.created", "user.signed-in", "mail.sent"] as const;

/**
 * Fills the audit trail with the entries of the numbers from `from` (inclusive) to `to` (exclusive), with statements of the database itself
 * and outside the hash chain. There is one entry per minute. Half of them are by `actorId`, who acts as another user in every eighth, and
 * half by one of a hundred others. Each order has ten, each certificate and code five, and each entry has its own reference.
 */
export async function fillEntries(dialect: Dialect, actorId: number, from: number, to: number): Promise<void> {
  const numbers = `with recursive numbers(i) as (select ${from} union all select i + 1 from numbers where i + 1 < ${to})`;
  const moment =
    dialect === "postgres"
      ? "timestamptz '2024-01-01 00:00:00Z' + i * interval '1 minute'"
      : "strftime('%Y-%m-%dT%H:%M:%fZ', '2024-01-01', '+' || i || ' minutes')";
  const event = `case i % ${MANY_EVENTS.length} ${MANY_EVENTS.map((name, rest) => `when ${rest} then '${name}'`).join(" ")} end`;
  const first = 1_000_000;
  await sql
    .raw(
      `${numbers} insert into audit_entries (id, at, actor_id, actor_name, impersonator_id, event, message, user_id, order_id,
        certificate_id, code_id, reference)
      select ${first} + i, ${moment}, case when i % 2 = 0 then ${actorId} else ${first} + i % 100 end,
        'person' || (i % 100) || '@example.org', case when i % 8 = 0 then ${actorId} end, ${event}, 'Entry number ' || i || ' of many.',
        ${first} + i % 500, ${first} + i / 10, i / 5, i / 5, 'R-' || i from numbers`,
    )
    .execute(getDb());
  await sql.raw(dialect === "postgres" ? "vacuum analyze" : "analyze").execute(getDb()); // as the database does by itself after some time
}
