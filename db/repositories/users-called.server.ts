import { sql } from "kysely";
import { type DbOrTrx } from "../connection.server";
import { type StaffRight } from "../tables";
import { selectUsers, type UserRow } from "./users.server";

/**
 * Selects the ids of the accounts with a right of staff. Each half of the union has an index: most accounts have no right.
 *
 * @param rights Only accounts with one of these rights, or with the right Admin.
 */
export function staffIds(db: DbOrTrx, rights?: readonly StaffRight[]) {
  const granted = db.selectFrom("userRights").select("userRights.userId as id");
  const admins = db
    .selectFrom("users as admins")
    .select("admins.id")
    .where(sql<boolean>`admins.is_admin`);
  return (rights ? granted.where("userRights.right", "in", rights) : granted).union(admins);
}

/** Returns the accounts with a right of staff. */
export const listStaffAccounts = (db: DbOrTrx): Promise<UserRow[]> =>
  selectUsers(db).where("users.id", "in", staffIds(db)).orderBy("users.id").execute();

/** Returns the accounts that have or had one of these email addresses, which are in lower case. */
export const listAccountsCalled = (db: DbOrTrx, emails: readonly string[]): Promise<UserRow[]> =>
  selectUsers(db)
    .where("users.id", "in", (eb) =>
      eb
        .selectFrom("formerUserDetails")
        .select("formerUserDetails.userId as id")
        .where("formerUserDetails.kind", "=", "email")
        .where("formerUserDetails.text", "in", emails)
        .union(eb.selectFrom("users as called").select("called.id").where("called.email", "in", emails)),
    )
    .orderBy("users.id")
    .execute();
