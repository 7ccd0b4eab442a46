import { notFound } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { findAddress, type Address } from "~db/repositories/addresses.server";
import { findUserById, findUserFor, type UserRow } from "~db/repositories/users.server";
import { hasDetailsMissing } from "./accounts.policy";

/** The details of an account that its user can see (USR-01). */
export interface Profile {
  id: number;
  firstName: string;
  lastName: string;
  company: string;
  position: string;
  email: string;
  telephoneNumber: string;
  vatNumber: string | null;
  vatNumberChecked: boolean | null;
  taxNumber: string | null;
  companyRegistrationNumber: string | null;
  companyAddress: Address | null;
  invoicingAddress: Address | null;
  mailingAddress: Address | null;
}

/**
 * Returns the profile of an account with the company in which the person works now. Throws a PortalError (404) when there is no such
 * account.
 */
export async function getProfile(userId: number, db: DbOrTrx = getDb()): Promise<Profile> {
  const user = await findUserById(db, userId);
  if (!user) throw notFound();
  return toProfile(db, user);
}

/** Returns the profile of an account with one company. Throws a PortalError (404) when one of them is missing. */
export async function getProfileFor(key: { userId: number; companyId: number }): Promise<Profile> {
  const user = await findUserFor(getDb(), key);
  if (!user) throw notFound();
  return toProfile(getDb(), user);
}

/** Returns the profile of an account with this company. */
export async function toProfile(db: DbOrTrx, user: UserRow): Promise<Profile> {
  const [companyAddress, invoicingAddress, mailingAddress] = await Promise.all([
    findAddress(db, user.companyAddressId),
    findAddress(db, user.invoicingAddressId),
    findAddress(db, user.mailingAddressId),
  ]);
  return {
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    company: user.company,
    position: user.position,
    email: user.email,
    telephoneNumber: user.telephoneNumber,
    vatNumber: user.vatNumber,
    vatNumberChecked: user.vatNumberChecked,
    taxNumber: user.taxNumber,
    companyRegistrationNumber: user.companyRegistrationNumber,
    companyAddress,
    invoicingAddress,
    mailingAddress,
  };
}

/** Returns whether an account still has to complete its registration. Throws a PortalError (404) when there is no such account. */
export async function areDetailsMissing(userId: number): Promise<boolean> {
  const user = await findUserById(getDb(), userId);
  if (!user) throw notFound();
  return hasDetailsMissing(user);
}
