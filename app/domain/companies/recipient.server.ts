import { type DbOrTrx, type Trx } from "~db/connection.server";
import { listReferred } from "~db/repositories/audit-entries.server";
import { findFirstOwner, findRole } from "~db/repositories/companies.server";
import { listFormerMembers } from "~db/repositories/members.server";
import { listAccountsCalled } from "~db/repositories/users-called.server";
import { findUserById, listUsersById, type UserRow } from "~db/repositories/users.server";
import { companyReference } from "./company-reference";
import { COMPANY_LEFT, MEMBER_REMOVED } from "./own-companies.service.server";

/** An order, a certificate or a code: who made it, and whose it is. */
interface Owned {
  userId: number;
  companyId: number;
}

const keyOf = ({ userId, companyId }: Owned) => `${userId} ${companyId}`;

/** Returns the owner of a company who joined first, when the person who ordered has left it or cannot log in. */
async function insteadOf(db: DbOrTrx, orderer: UserRow, companyId: number): Promise<UserRow> {
  const ownerId = await findFirstOwner(db, companyId);
  const owner = ownerId === null ? null : await findUserById(db, ownerId);
  return owner && !owner.isDisabled ? owner : orderer;
}

/**
 * Returns a function that gives the account that gets the messages about what a company owns: the person who ordered it, or the owner of
 * the company who joined first when that person has left the company or cannot log in. It knows the given owners. Throws an Error when an
 * account is missing.
 */
export async function recipientsFor(db: DbOrTrx, owned: readonly Owned[]): Promise<(of: Owned) => UserRow> {
  const userIds = [...new Set(owned.map(({ userId }) => userId))];
  const orderers = userIds.length === 0 ? [] : await listUsersById(db, userIds);
  const found = new Map<string, UserRow>();
  for (const of of owned) {
    if (found.has(keyOf(of))) continue;
    const { userId, companyId } = of;
    const orderer = orderers.find(({ id }) => id === userId);
    if (!orderer) throw new Error(`There is no account ${userId}.`);
    const role = orderer.companyId === companyId ? orderer.role : await findRole(db, of);
    const isReachable = !orderer.isDisabled && role !== null;
    found.set(keyOf(of), isReachable ? orderer : await insteadOf(db, orderer, companyId));
  }
  return (of) => found.get(keyOf(of)) as UserRow;
}

/** Returns the account that gets the messages about one thing, as `recipientsFor` does. */
export const recipientFor = async (db: DbOrTrx, owned: Owned): Promise<UserRow> =>
  (await recipientsFor(db, [owned]))(owned);

/**
 * Returns whether an address that the order of a company names belongs to somebody who has left this company or cannot log in, and so gets
 * no messages about what it owns. The person placed the order, was a member, or has been erased. The address of somebody who never belonged
 * to the company, such as a bookkeeper's, is nobody's who has left, and neither is one that a member shares.
 */
export async function isOfLeaver(trx: Trx, { userId, companyId }: Owned, email: string): Promise<boolean> {
  const accounts = await listAccountsCalled(trx, [email.toLowerCase()]);
  if (accounts.length === 0) return false;
  const ids = accounts.map(({ id }) => id);
  const left = await listFormerMembers(trx, companyId, ids);
  if (accounts.some(({ id, isDisabled }) => !left.has(id) && !isDisabled)) return false;
  if (accounts.some(({ id, erasedAt }) => id === userId || erasedAt !== null)) return true;
  const about = { userIds: ids, events: [COMPANY_LEFT, MEMBER_REMOVED], reference: companyReference(companyId) };
  return (await listReferred(trx, about)).length > 0;
}
