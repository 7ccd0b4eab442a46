import { type AccountStanding, type AccountState, accountState } from "../account-state.policy";
import { RIGHT_NAMES, type Right, RIGHTS } from "../rights.policy";
import { customerBarrier, grantCommand, isGrantedByTwo, noSecond, WISH_WITHDRAWN } from "./dual-control.policy";

const CHANGES_OF_RIGHTS = RIGHTS.flatMap((right) => [`grant-${right}`, `withdraw-${right}`] as const);

/** What user administrators can do with an account. These are the values of `intent` that the buttons send. */
export const USER_ACTIONS = [
  "disable",
  "lock",
  "reset-factors",
  "erase",
  "enable",
  "unlock",
  "send-verification",
  "send-reset-link",
  "withdraw-email",
  "end-sessions",
  "unlink-sign-on",
  "log-in-as",
  ...CHANGES_OF_RIGHTS,
] as const;
export type UserAction = (typeof USER_ACTIONS)[number];
export type RightsAction = (typeof CHANGES_OF_RIGHTS)[number];

/** Returns the right that an action grants or withdraws, or null for other actions. */
export function changedRight(action: UserAction): { right: Right; isGranted: boolean } | null {
  const right = RIGHTS.find((name) => action === `grant-${name}` || action === `withdraw-${name}`);
  return right ? { right, isGranted: action.startsWith("grant-") } : null;
}

export interface AdministeredUser extends AccountStanding {
  id: number;
  /** The rights as they were granted. */
  rights: readonly Right[];
  emailVerifiedAt: string | null;
  hasFactor: boolean;
  /** Whether the account is linked with an identity at the identity provider. */
  isLinked: boolean;
  /** Whether a new email address waits to be confirmed. */
  hasPendingEmail: boolean;
  /** Whether the account can be logged in to with a password. Staff may have to use single sign-on. */
  hasPasswordLogin: boolean;
  /** What must happen before the data of the person can be erased, one sentence each. */
  erasureBarriers: readonly string[];
}

export interface Circumstances extends Pick<Insistence, "isLastResort"> {
  /** The user administrator who asks; null on the command line. */
  by: number | null;
  /** The ids of the user administrators who can log in. */
  administrators: readonly number[];
  /** Whether the strict four-eyes principle is in force (`fourEyes`). */
  isStrict: boolean;
  /** The rights whose grant to the account waits for a second user administrator. */
  requested: readonly Right[];
  /** Whether a reset of the second factors of the account waits for a second user administrator. */
  isResetRequested: boolean;
  /** Whether the erasure of the person's data waits for a second user administrator. */
  isErasureRequested: boolean;
  /** Whether the account belongs to the user administrator who asks: it is theirs or another account of the same person. */
  isOwn: boolean;
  /** The name of a customer company of which the account is a member, or null. */
  customer: string | null;
  /** Whether the person has withdrawn the request for the erasure that this user administrator carries out. */
  isWishWithdrawn?: boolean;
  now: Date;
}

/** How whoever takes an action insists on it, or not. */
export interface Insistence {
  /** Grants a right of staff although the account is a member of a customer company. For the command line only. */
  isLastResort?: boolean;
  /** Erases the data only if the person still asks for it, as the actor was told. */
  isWished?: boolean;
}

/**
 * Returns why the portal must keep this user administrator, or null. User administrators cannot remove themselves, and the last one cannot
 * be removed.
 */
function whyNotLose({ id }: AdministeredUser, { by, administrators }: Circumstances, own: string): string | null {
  if (id === by) return own;
  const isLast = administrators.length === 1 && administrators[0] === id;
  return isLast ? "This is the last administrator." : null;
}

const OWN_ACCOUNT = "You cannot disable your own account.";
const OWN_LOCK = "You cannot lock your own account.";

/** The rights with which an account administers users. */
const ADMINISTRATION: readonly Right[] = ["admin", "user-administrator"];

const ofStaff = (rights: readonly Right[]) => rights.filter((right) => right !== "applicant");

/** Returns whether granting this right takes a second user administrator. The command line grants it alone. */
export const needsSecond = (right: Right, { by, isStrict }: Pick<Circumstances, "by" | "isStrict">): boolean =>
  isStrict && by !== null && isGrantedByTwo(right);

/** Returns why no second user administrator can decide about the account, or null. `command` is what does it without one. */
const whyNoSecond = ({ id }: AdministeredUser, { by, administrators }: Circumstances, command: string) =>
  administrators.some((other) => other !== by && other !== id) ? null : noSecond(command);

/** Returns why no second user administrator can be asked to grant the right, or null. */
const whyNotRequest = (right: Right, user: AdministeredUser, circumstances: Circumstances) =>
  circumstances.requested.includes(right)
    ? `Granting the right ${RIGHT_NAMES[right]} waits for a second user administrator already.`
    : whyNoSecond(user, circumstances, `grant the right with ${grantCommand()}`);

/** How the command line grants a right of staff to a member of a customer company. */
const LAST_RESORT = " As a last resort, the option --although-customer grants it all the same.";

const isStaffAccount = (user: AdministeredUser): boolean => ofStaff(user.rights).length > 0;

/**
 * Returns why separated duties keep this user administrator from the action, or null. Nobody grants a right of staff to their own account or
 * resets its factors. Another account of the same person counts as their own: for factors in either mode, for rights under `strict`, because
 * in a small office one person may hold all rights. Under `strict`, staff belong to no customer company. Nobody acts as a member of staff.
 */
export function whyNotSeparated(action: UserAction, user: AdministeredUser, circumstances: Circumstances) {
  const { by, isOwn, isStrict, customer, isLastResort = false } = circumstances;
  if (action === "reset-factors")
    return isOwn ? "Nobody resets the second factors of their own account: another user administrator does it." : null;
  if (action === "log-in-as" && isStaffAccount(user))
    return `Nobody can log in as ${user.rights.includes("admin") ? "an administrator" : "a member of staff"}.`;
  const change = changedRight(action);
  if (!change?.isGranted || change.right === "applicant") return null;
  if (user.id === by) return "Nobody grants a right of staff to their own account.";
  if (!isStrict) return null;
  if (isOwn)
    return "The account has a name or an email address that the user administrator has or had: another one grants it a right of staff.";
  if (customer === null || isLastResort) return null;
  return `${customerBarrier(customer)}${by === null ? LAST_RESORT : ""}`;
}

/**
 * Returns why the second factors of an account cannot be reset now, or null. Nobody resets their own, and a second user administrator always
 * decides, also in a small office: whoever can remove a factor and reset a password can become somebody else. The command line resets alone.
 */
function whyNotReset(user: AdministeredUser, circumstances: Circumstances): string | null {
  if (!user.hasFactor) return "The account has no second factor.";
  if (circumstances.by === null) return null;
  const separated = whyNotSeparated("reset-factors", user, circumstances);
  if (separated) return separated;
  if (circumstances.isResetRequested) return "A reset waits for a second user administrator already.";
  return whyNoSecond(
    user,
    circumstances,
    "reset the factors with 'npm run portal -- users reset-factor EMAIL --operator WHO --reason TEXT'",
  );
}

/** Returns whether the erasure of a person takes a second user administrator, because it cannot be undone. The command line erases alone. */
export const erasesWithSecond = ({ by, isStrict }: Pick<Circumstances, "by" | "isStrict">): boolean =>
  isStrict && by !== null;

/** Returns why the data of a person cannot be erased now, or null. */
function whyNotErase(user: AdministeredUser, circumstances: Circumstances): string | null {
  if (circumstances.isWishWithdrawn) return WISH_WITHDRAWN;
  if (user.erasureBarriers.length > 0) return user.erasureBarriers.join(" ");
  if (!erasesWithSecond(circumstances)) return null;
  if (circumstances.isErasureRequested) return "The erasure waits for a second user administrator already.";
  return whyNoSecond(
    user,
    circumstances,
    "erase the data with 'npm run portal -- users erase EMAIL --operator WHO --reason TEXT'",
  );
}

/**
 * Returns why a right cannot be granted or withdrawn now, or null. User administrators cannot give themselves rights of staff, and the last
 * one stays.
 */
function whyNotChange(
  { right, isGranted }: { right: Right; isGranted: boolean },
  user: AdministeredUser,
  circumstances: Circumstances,
): string | null {
  const name = RIGHT_NAMES[right];
  const isHeld = user.rights.includes(right);
  if (isGranted) {
    if (isHeld) return `The account has the right ${name} already.`;
    if (right === "applicant") return null;
    if (user.rights.includes("admin")) return "The right Admin contains this right.";
    const separated = whyNotSeparated(`grant-${right}`, user, circumstances);
    if (separated) return separated;
    if (circumstances.isStrict && circumstances.by !== null && user.emailVerifiedAt === null)
      return "The email address of the account is not confirmed, so anybody may have registered it. The person follows the link in their mail first.";
    return needsSecond(right, circumstances) ? whyNotRequest(right, user, circumstances) : null;
  }
  if (!isHeld) return `The account does not have the right ${name}.`;
  const kept = user.rights.filter((other) => other !== right && ADMINISTRATION.includes(other));
  if (!ADMINISTRATION.includes(right) || kept.length > 0) return null;
  return whyNotLose(user, circumstances, `You cannot withdraw your own right ${name}.`);
}

/** Returns why the person cannot be sent a link to choose a password, or null. */
function whyNotSendLink(user: AdministeredUser, { by }: Circumstances, state: AccountState): string | null {
  if (state === "Disabled") return "The account is disabled.";
  if (user.id === by) return "You change your own password on the page 'User Details'.";
  if (user.adminLockedAt !== null) return "An administrator has locked the account, so its password cannot be reset.";
  return user.hasPasswordLogin ? null : "Members of staff log in with single sign-on here, not with a password.";
}

/** Returns why the action is not possible on this account now, or null when it is. */
export function whyNot(action: UserAction, user: AdministeredUser, circumstances: Circumstances): string | null {
  const state = accountState(user, circumstances.now);
  if (state === "Merged") return "The account was merged into another one.";
  if (state === "Erased") return "The data of this account was erased.";
  const change = changedRight(action);
  if (change) return whyNotChange(change, user, circumstances);
  switch (action as Exclude<UserAction, RightsAction>) {
    case "disable":
      if (state === "Disabled") return "The account is disabled already.";
      return whyNotLose(user, circumstances, OWN_ACCOUNT);
    case "enable":
      return state === "Disabled" ? null : "The account is not disabled.";
    case "lock":
      if (state === "Disabled") return "The account is disabled.";
      if (user.adminLockedAt !== null) return "An administrator has locked the account already.";
      return whyNotLose(user, circumstances, OWN_LOCK);
    case "reset-factors":
      return state === "Disabled" ? "The account is disabled." : whyNotReset(user, circumstances);
    case "erase":
      return whyNotErase(user, circumstances);
    case "unlock":
      return state === "Locked" ? null : "The account is not locked.";
    case "send-verification":
      if (state === "Disabled") return "The account is disabled.";
      return user.emailVerifiedAt === null ? null : "The email address is confirmed already.";
    case "send-reset-link":
      return whyNotSendLink(user, circumstances, state);
    case "withdraw-email":
      return user.hasPendingEmail ? null : "No new email address waits to be confirmed.";
    case "end-sessions":
      if (state === "Disabled") return "The account is disabled, so it has no open sessions.";
      return user.id === circumstances.by ? "You end your own sessions on the page 'Your sessions and devices'." : null;
    case "unlink-sign-on":
      return user.isLinked ? null : "The account is not linked with the identity provider.";
    case "log-in-as":
      if (user.id === circumstances.by) return "You are logged in as this user already.";
      if (isStaffAccount(user)) return whyNotSeparated(action, user, circumstances);
      if (user.adminLockedAt !== null) return "An administrator has locked the account.";
      return state === "Disabled" ? "The account is disabled." : null;
  }
}
