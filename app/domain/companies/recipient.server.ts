import { type Trx } from "~db/connection.server";
import { findFirstOwner, findRole } from "~db/repositories/companies.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";

/** An order, a certificate or a code: who made it, and whose it is. */
interface Owned {
  userId: number;
  companyId: number;
}

/**
 * Returns the account that gets the messages about what a company owns: the person who ordered it, or the owner of the company who joined
 * first when that person has left the company or cannot log in. Throws an Error when the account is missing.
 */
export async function recipientFor(trx: Trx, { userId, companyId }: Owned): Promise<UserRow> {
  const orderer = await findUserById(trx, userId);
  if (!orderer) throw new Error(`There is no account ${userId}.`);
  if (!orderer.isDisabled && (await findRole(trx, { companyId, userId })) !== null) return orderer;
  const ownerId = await findFirstOwner(trx, companyId);
  const owner = ownerId === null ? null : await findUserById(trx, ownerId);
  return owner && !owner.isDisabled ? owner : orderer;
}
