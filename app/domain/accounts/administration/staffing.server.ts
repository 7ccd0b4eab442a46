import { fourEyes } from "~/lib/four-eyes.server";
import { getDb } from "~db/connection.server";
import { listRightsOfMany } from "~db/repositories/user-rights.server";
import { listStaffAccounts } from "~db/repositories/users-called.server";
import { personsOf } from "../former-details.server";
import { STAFF_RIGHTS } from "../rights.policy";
import { missingStaff } from "./staffing.policy";

/** Returns what a portal in the strict mode of the four-eyes principle lacks (`missingStaff`), nothing in a small office. */
export async function loadMissingStaff(): Promise<string[]> {
  if (fourEyes() !== "strict") return [];
  const accounts = (await listStaffAccounts(getDb())).filter(
    ({ isDisabled, adminLockedAt, mergedInto }) => !isDisabled && adminLockedAt === null && mergedInto === null,
  );
  const people = await personsOf(getDb(), accounts);
  const granted = await listRightsOfMany(
    getDb(),
    accounts.map(({ id }) => id),
  );
  return missingStaff(
    accounts.flatMap(({ id, isAdmin }) => {
      const person = people.find((one) => one.id === id);
      return person ? [{ person, rights: isAdmin ? STAFF_RIGHTS : (granted.get(id) ?? []) }] : [];
    }),
  );
}
