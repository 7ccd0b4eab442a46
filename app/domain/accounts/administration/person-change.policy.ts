import { type AccountStanding, accountState } from "../account-state.policy";
import { type Right } from "../rights.policy";

interface Account extends AccountStanding {
  id: number;
  rights: readonly Right[];
}

interface Asking {
  /** The user administrator who asks. */
  by: number;
  /** Whether the account belongs to the user administrator who asks: it is theirs or another account of the same person. */
  isOwn: boolean;
  now: Date;
}

const OWN = "You change your own details on the page 'User Details'.";
const SAME_PERSON =
  "The account has a name or an email address that the user administrator has or had: another one changes it.";
const STAFF_EMAIL =
  "A mailbox of a member of staff is the way to a new password, so only they change the address, on their page 'User Details'. If they cannot log in, their rights of staff are withdrawn first.";

/**
 * Returns why this user administrator cannot change the name and the other details of the person of an account, or null. `isSeparated` says
 * that it is a matter of separated duties.
 */
export function whyNotChangePerson(
  account: AccountStanding & { id: number },
  { by, isOwn, now }: Asking,
): { reason: string; isSeparated: boolean } | null {
  const state = accountState(account, now);
  const because = (reason: string, isSeparated = false) => ({ reason, isSeparated });
  if (state === "Merged") return because("The account was merged into another one.");
  if (state === "Erased") return because("The data of this account was erased.");
  if (state === "Disabled") return because("The account is disabled.");
  if (account.id === by) return because(OWN);
  return isOwn ? because(SAME_PERSON, true) : null;
}

/**
 * Returns why the email address of an account cannot be changed for the person, or null. Whoever can change the address of a member of staff
 * and send a link to it could become them.
 */
export const whyNotChangeEmail = ({ rights }: Pick<Account, "rights">): string | null =>
  rights.some((right) => right !== "applicant") ? STAFF_EMAIL : null;
