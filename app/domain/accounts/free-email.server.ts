import { PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listUsersByLogin } from "~db/repositories/users.server";
import { DUPLICATE_EMAIL, EMAIL_TAKEN } from "./duplicate-email";

const refusal = (message: string) => new PortalError(message, { code: "registration.duplicate-email", field: "email" });

/** Whether an account has this address already or signs in with it: what a registration would be told. */
export const isEmailTaken = async (email: string): Promise<boolean> =>
  (await listUsersByLogin(getDb(), email.trim().toLowerCase())).length > 0;

/** Refuses to register, at `email`, an address that an account has already or signs in with. */
export async function demandFreeEmail(db: DbOrTrx, email: string): Promise<void> {
  if ((await listUsersByLogin(db, email)).length > 0) throw refusal(DUPLICATE_EMAIL);
}

/**
 * Refuses it for an account that gets a new address; its owner is signed in and needs no way on. Accounts that were merged into it may have the address: they are its own.
 * Out: whether the address is free as a user name too.
 */
export async function demandFreeEmailFor(db: DbOrTrx, userId: number, email: string): Promise<boolean> {
  const others = (await listUsersByLogin(db, email)).filter(({ id }) => id !== userId);
  if (others.some(({ mergedInto }) => mergedInto !== userId)) throw refusal(EMAIL_TAKEN);
  return others.every(({ username }) => username !== email);
}
