import { sql, type Migration } from "kysely";
import { type AnyDb } from "./column-types";

/** The members of a company whose accounts are closed, with the companies to which the accounts that remained belong. */
const CLOSED = sql`from memberships closed
  join users on users.id = closed.user_id
  join memberships kept on kept.user_id = users.merged_into
  where closed.company_id = companies.id`;

const HAS_MEMBERS = sql`exists (select 1 from memberships
  join users on users.id = memberships.user_id
  where memberships.company_id = companies.id and users.merged_into is null)`;

/**
 * Notes of which company another one has become part by a merge of accounts. For merges until now it is known where the person belongs to one
 * company only.
 */
export const joinedCompanies = (): Migration => ({
  async up(db: AnyDb) {
    await db.schema
      .alterTable("companies")
      .addColumn("part_of", "integer", (c) => c.references("companies.id"))
      .execute();
    await sql`update companies set part_of = (select min(kept.company_id) ${CLOSED})
      where not ${HAS_MEMBERS} and (select count(distinct kept.company_id) ${CLOSED}) = 1`.execute(db);
    await sql`create index companies_part_of on companies (part_of) where part_of is not null`.execute(db);
  },
});
