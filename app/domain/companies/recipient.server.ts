import { type Trx } from "~db/connection.server";
import { findFirstOwner, findRole } from "~db/repositories/companies.server";
import { findUserById, listUsersById, type UserRow } from "~db/repositories/users.server";

/** An order, a certificate or a code: who made it, and whose it is. */
interface Owned {
  userId: number;
  companyId: number;
}

const keyOf = ({ userId, companyId }: Owned) => `${userId} ${companyId}`;

/** Returns the owner of a company who joined first, when the person who ordered has left it or cannot log in. */
async function insteadOf(trx: Trx, orderer: UserRow, companyId: number): Promise<UserRow> {
  const ownerId = await findFirstOwner(trx, companyId);
  const owner = ownerId === null ? null : await findUserById(trx, ownerId);
  return owner && !owner.isDisabled ? owner : orderer;
}

/**
 * Returns a function that gives the account that gets the messages about what a company owns: the person who ordered it, or the owner of
 * the company who joined first when that person has left the company or cannot log in. It knows the given owners. Throws an Error when an
 * account is missing.
 */
export async function recipientsFor(trx: Trx, owned: readonly Owned[]): Promise<(of: Owned) => UserRow> {
  const orderers = await listUsersById(trx, [...new Set(owned.map(({ userId }) => userId))]);
  const found = new Map<string, UserRow>();
  for (const of of owned) {
    if (found.has(keyOf(of))) continue;
    const { userId, companyId } = of;
    const orderer = orderers.find(({ id }) => id === userId);
    if (!orderer) throw new Error(`There is no account ${userId}.`);
    const role = orderer.companyId === companyId ? orderer.role : await findRole(trx, of);
    const isReachable = !orderer.isDisabled && role !== null;
    found.set(keyOf(of), isReachable ? orderer : await insteadOf(trx, orderer, companyId));
  }
  return (of) => found.get(keyOf(of)) as UserRow;
}

/** Returns the account that gets the messages about one thing, as `recipientsFor` does. */
export const recipientFor = async (trx: Trx, owned: Owned): Promise<UserRow> =>
  (await recipientsFor(trx, [owned]))(owned);
