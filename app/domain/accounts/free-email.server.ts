import { consumeTry } from "~/domain/limits/tries.server";
import { PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { listUsersByLogin } from "~db/repositories/users.server";
import { DUPLICATE_EMAIL, EMAIL_TAKEN } from "./duplicate-email";

const refusal = (message: string) => new PortalError(message, { code: "registration.duplicate-email", field: "email" });

/**
 * Returns whether an account has this email address or uses it to log in, so that a registration with it would be refused. Counts as a
 * registration from this network. Throws a PortalError (429) when there were too many.
 */
export async function isEmailTaken(email: string, network: string): Promise<boolean> {
  await consumeTry("register-address", network);
  return (await listUsersByLogin(getDb(), email.trim().toLowerCase())).length > 0;
}

/** Throws a PortalError for the field `email` when an account has this address already or uses it to log in. For registrations. */
export async function demandFreeEmail(db: DbOrTrx, email: string): Promise<void> {
  if ((await listUsersByLogin(db, email)).length > 0) throw refusal(DUPLICATE_EMAIL);
}

/**
 * Throws a PortalError for the field `email` when an account cannot change to this address, because another account has it or uses it to
 * log in. The message does not say how to log in, because the owner is logged in. Accounts that were merged into this one may have the
 * address. Returns whether the address is also free as a user name.
 */
export async function demandFreeEmailFor(db: DbOrTrx, userId: number, email: string): Promise<boolean> {
  const others = (await listUsersByLogin(db, email)).filter(({ id }) => id !== userId);
  if (others.some(({ mergedInto }) => mergedInto !== userId)) throw refusal(EMAIL_TAKEN);
  return others.every(({ username }) => username !== email);
}
