import { separated } from "~/domain/accounts/administration/dual-control.policy";
import { isStaff, type RightsHolder } from "~/domain/accounts/rights.policy";
import { staffRightsOf } from "~/domain/accounts/staff-rights.server";
import { fourEyes } from "~/lib/four-eyes.server";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { findCustomer, hasStaff, lockCompany, type MembershipKey } from "~db/repositories/members.server";
import { findUserById } from "~db/repositories/users.server";

async function isStaffAccount(db: DbOrTrx, id: number): Promise<boolean> {
  const account = await findUserById(db, id);
  return account !== null && isStaff({ rights: await staffRightsOf(db, account) });
}

const STAFF_APART =
  "A member of staff and a customer cannot work in one company (four-eyes principle). Staff join a company with another account, which has no right of staff.";

/**
 * Under the strict four-eyes principle, staff belong to no customer company. Throws a PortalError when a member of the company, such as the
 * one who has just joined, has a right of staff. Locks the company, so that no member gets such a right at the same time.
 */
export async function requireNoStaff(trx: Trx, companyId: number, now: Date): Promise<void> {
  if (fourEyes() !== "strict") return;
  await lockCompany(trx, companyId, now);
  if (await hasStaff(trx, companyId)) throw separated(STAFF_APART);
}

/** Returns why a person cannot join a company, or null. */
export const whyNotJoin = (user: RightsHolder): string | null =>
  fourEyes() === "strict" && isStaff(user) ? STAFF_APART : null;

/** Throws a PortalError when staff choose to work in a customer company under the strict four-eyes principle. */
export async function requireMayWorkIn(trx: Trx, { companyId, userId }: MembershipKey): Promise<void> {
  if (fourEyes() !== "strict" || !(await isStaffAccount(trx, userId))) return;
  const customer = await findCustomer(trx, [userId], companyId);
  if (customer === null) return;
  throw separated(
    `${customer} is a customer, and staff work for no customer (four-eyes principle). The member of staff leaves the company first, or a user administrator withdraws the rights of staff.`,
  );
}

/**
 * Throws a PortalError when staff would take over what a customer owns, or a membership in a customer company, by a merge under the strict
 * four-eyes principle.
 */
export async function requireNoCustomerTaken(trx: Trx, survivorId: number, others: readonly number[]): Promise<void> {
  if (fourEyes() !== "strict" || !(await isStaffAccount(trx, survivorId))) return;
  const customer = await findCustomer(trx, [survivorId, ...others]);
  if (customer === null) return;
  throw separated(
    `This account has a right of staff, and staff belong to no customer such as ${customer} (four-eyes principle). The other account leaves that company first, or a user administrator withdraws the rights of staff.`,
  );
}
