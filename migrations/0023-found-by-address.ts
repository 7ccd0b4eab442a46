import { isIPv4, isIPv6 } from "node:net";
import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Returns the 32 hexadecimal digits of an address, with IPv4 as `::ffff:` of IPv6. Returns null for other text. */
function digitsOf(address: string): string | null {
  const given = address.split("%")[0] ?? "";
  const whole = isIPv4(given) ? `::ffff:${given}` : given;
  if (!isIPv6(whole)) return null;
  const [head = "", tail] = new URL(`http://[${whole}]`).hostname.slice(1, -1).split("::");
  const [left, right] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [string[], string[]];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, "0")).join("");
}

/** The security events of one address, and the accounts that had an email address, are found by an index. */
export const foundByAddress = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    await db.schema
      .createIndex("former_user_details_text")
      .on("former_user_details")
      .columns(["kind", "text"])
      .execute();

    await db.schema.alterTable("security_events").addColumn("address_digits", columnTypes(dialect).ordered).execute();
    const { rows } = await sql<{ address: string }>`
      select distinct address from security_events where address is not null`.execute(db);
    for (const { address } of rows) {
      const digits = digitsOf(address);
      if (digits !== null)
        await sql`update security_events set address_digits = ${digits} where address = ${address}`.execute(db);
    }
    await db.schema
      .createIndex("security_events_address_digits")
      .on("security_events")
      .columns(["address_digits", "at", "id"])
      .execute();
  },
});
