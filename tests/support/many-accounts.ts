import { sql } from "kysely";
import { type Dialect, getDb } from "~db/connection.server";

const FIRST = 1_000_000;
/** Accounts and companies are numbered downwards from here, because other tests create new ones above the highest number. */
const LAST = 2_000_000_000;
/** Returns the id of the account with this number, which is that of its company, too. */
export const accountId = (number: number): number => LAST - number;
const NOW = "'2026-01-01T00:00:00.000Z'";

const momentAt = (dialect: Dialect, start: string) =>
  dialect === "postgres"
    ? `timestamptz '${start} 00:00:00Z' + i * interval '1 minute'`
    : `strftime('%Y-%m-%dT%H:%M:%fZ', '${start}', '+' || i || ' minutes')`;

const numbers = (from: number, to: number) =>
  `with recursive numbers(i) as (select ${from} union all select i + 1 from numbers where i + 1 < ${to})`;

async function execute(...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(getDb());
}

/** Lets the database count what is in its tables, as it does by itself after some time. */
export const analyse = (dialect: Dialect): Promise<void> =>
  execute(dialect === "postgres" ? "vacuum analyze" : "analyze");

/**
 * Fills the accounts and their companies with the numbers from `from` (inclusive) to `to` (exclusive), with statements of the database
 * itself. Every company has one account. One account of 1,000 is disabled, locked, merged, erased or an administrator, of whom there are 50 at
 * most, because an authority does not get more staff with its customers; half of all accounts have logged in.
 */
export async function fillAccounts(dialect: Dialect, from: number, to: number): Promise<void> {
  const flag = (condition: string) => (dialect === "postgres" ? `(${condition})` : `iif(${condition}, 1, 0)`);
  const every = (rest: number, value: string) => `case when i % 1000 = ${rest} then ${value} end`;
  const moment = momentAt(dialect, "2024-01-01");
  const now = dialect === "postgres" ? `timestamptz ${NOW}` : NOW;
  await execute(
    `${numbers(from, to)} insert into companies (id, name, sort_name, company_registration_number, vat_number, created_at, updated_at)
     select ${LAST} - i, 'Parts' || i || ' GmbH', 'parts' || i || ' gmbh', 'HRB ' || i, 'DE' || (100000000 + i), ${now}, ${now} from numbers`,
    `${numbers(from, to)} insert into users (id, company_id, username, email, password_hash, password_changed_at, first_name, last_name,
       position, telephone_number, is_applicant, is_admin, is_disabled, merged_into, admin_locked_at, erased_at, last_login_at,
       search_text, sort_name, sort_company, sort_username, created_at, updated_at)
     select ${LAST} - i, ${LAST} - i, 'user' || i, 'user' || i || '@parts.example', '', ${now}, 'Anna', 'Muster' || i,
       '', '', ${flag("i % 2 = 0")}, ${flag("i % 1000 = 1 and i < 50000")}, ${flag("i % 1000 = 2")}, ${every(3, `${LAST}`)}, ${every(4, now)}, ${every(5, now)},
       case when i % 2 = 0 then ${moment} end, 'anna muster' || i || ' parts' || i || ' gmbh user' || i || '@parts.example user' || i,
       'muster' || i || ' anna', 'parts' || i || ' gmbh', 'user' || i, ${now}, ${now} from numbers`,
    `${numbers(from, to)} insert into memberships (company_id, user_id, role, joined_at)
     select ${LAST} - i, ${LAST} - i, 'owner', ${now} from numbers`,
  );
  await analyse(dialect);
}

/**
 * Fills the security events with the numbers from `from` (inclusive) to `to` (exclusive): one event a minute of one of a thousand accounts
 * and from one of a thousand addresses. Of a hundred events, 98 are logins, one is a refused login and one a lock.
 */
export async function fillSecurityEvents(dialect: Dialect, from: number, to: number): Promise<void> {
  const moment = momentAt(dialect, "2024-01-01");
  await execute(
    `${numbers(from, to)} insert into security_events (id, at, last_at, event, outcome, user_id, actor_name, address, network, detail)
     select ${FIRST} + i, ${moment}, ${moment}, case i % 100 when 1 then 'login.failed' when 2 then 'account.locked' else 'login.succeeded' end, 'success',
       ${LAST} - i % 1000, 'user' || (i % 1000) || '@parts.example', '192.0.' || (i % 1000 / 250) || '.' || (i % 250),
       '192.0.' || (i % 1000 / 250) || '.0/24', '' from numbers`,
  );
  await analyse(dialect);
}

/**
 * Fills the certificates with the numbers from `from` (inclusive) to `to` (exclusive), one for each order of `fillOrders`, all of one
 * account. Of a thousand certificates, 990 are in use and expire in the course of two years, five are pending and five are revoked.
 */
export async function fillListedCertificates(
  dialect: Dialect,
  { id, companyId }: { id: number; companyId: number },
  from: number,
  to: number,
): Promise<void> {
  const isPostgres = dialect === "postgres";
  const [no, yes, bytes] = isPostgres ? ["false", "true", "'\\x00'"] : ["0", "1", "x'00'"];
  const hours = (count: string) =>
    isPostgres
      ? `date_trunc('hour', now()) + (${count}) * interval '1 hour'`
      : `strftime('%Y-%m-%dT%H:00:00.000Z', 'now', (${count}) || ' hours')`;
  // The certificates expire in turn, so that those that expire soon are spread over all ids.
  const ends = "i % 17520";
  const hash = "'hash-' || i";
  await execute(
    `${numbers(from, to)} insert into certificates (id, order_id, user_id, company_id, status, order_type, requested_at, updated_at, csr, csr_sha256,
       public_key_sha256, key_identity, common_name, organisation, country, subject_alternate_name, modulus_product_id, is_manual_ssid,
       has_secure_session, has_email, has_encryption, has_file_signing, validity_years, hierarchy, technical_contact,
       authentication_contact, authentication_email, sort_name, search_text, contact_search_text, serial_number, start_date, expiry_date, revocation_date)
     select ${FIRST} + i, ${FIRST} + i, ${id}, ${companyId},
       case i % 1000 ${[0, 1, 2, 3, 4].map((rest) => `when ${rest * 100} then 'Pending' when ${rest * 100 + 50} then 'Revoked'`).join(" ")} else 'Issued' end,
       case when i % 10 = 1 then 'Renewal' else 'Initial' end, ${hours(`${ends} - 17520`)}, ${hours("0")}, ${bytes}, ${hash}, ${hash}, ${hash},
       'host-' || i || '.example', 'Parts', 'DE', '[]', 0, ${no}, ${yes}, ${no}, ${no}, ${no}, 2, 'sha2', '{}', '{}', 'a@parts.example',
       'host-' || i || '.example', 'host-' || i || '.example parts' || (i / 10) || ' 70' || i,
       'bernd boss' || i || ' contact' || i || '@parts.example',
       case when i % 1000 not in (0, 100, 200, 300, 400) then '70' || i end,
       case when i % 1000 not in (0, 100, 200, 300, 400) then ${hours(`${ends} - 17520`)} end,
       case when i % 1000 not in (0, 100, 200, 300, 400) then ${hours(ends)} end,
       case when i % 1000 in (50, 150, 250, 350, 450) then ${hours("0")} end from numbers`,
  );
  await analyse(dialect);
}
