import { getDb } from "~db/connection.server";
import { findUserById } from "~db/repositories/users.server";
import { type Row } from "~db/tables";
import { hasDetailsMissing } from "./accounts.policy";
import { type SessionUser } from "./session-user";

export const toSessionUser = (row: Row<"users">): SessionUser => ({
  id: row.id,
  username: row.username,
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  company: row.company,
  position: row.position,
  telephoneNumber: row.telephoneNumber,
  isAdmin: row.isAdmin === 1,
  isApplicant: row.isApplicant === 1,
  emailVerified: row.emailVerifiedAt !== null,
  hasDetailsMissing: hasDetailsMissing(row),
  actor: { id: row.id, name: row.email },
});

/** The user of a session, or null when the account is gone, disabled, or its epoch was raised since the login. */
export async function findSessionUser(userId: number, epoch: number): Promise<SessionUser | null> {
  const row = await findUserById(getDb(), userId);
  return row && row.isDisabled === 0 && row.sessionEpoch === epoch ? toSessionUser(row) : null;
}
