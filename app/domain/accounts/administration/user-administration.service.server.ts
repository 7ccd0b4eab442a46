import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { consumeTry } from "~/domain/limits/tries.server";
import { notFound, PortalError } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { type Trx } from "~db/connection.server";
import { forgetPlaceFailures, forgetPlaces } from "~db/repositories/login-places.server";
import { findCustomer } from "~db/repositories/members.server";
import { hasFactor } from "~db/repositories/second-factors.server";
import { endSessionsOf } from "~db/repositories/sessions.server";
import { deleteIdentities, listIdentities } from "~db/repositories/sign-on-identities.server";
import { endTokensOf } from "~db/repositories/tokens.server";
import { disableAccount, enableAccount, lockAccount, unlockAccount } from "~db/repositories/user-administration.server";
import { listRightsOf, storeRight } from "~db/repositories/user-rights.server";
import { lockUser, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { findPendingEmail } from "../email-change.service.server";
import { FACTOR_TOKENS, resetFactors, resetText } from "../factors/reset.server";
import { tellAboutLock } from "../lock-mails.server";
import { resetAccountTries } from "../login-throttle.server";
import { findErasureBarriers } from "../personal-data/circumstances.server";
import { erasePerson, prepareErasure } from "../personal-data/erase.server";
import { consumeResetLinkTry, RESET_CODE_SENT, sendResetLink } from "../recovery/recovery.service.server";
import { type Right, RIGHT_NAMES, rightsOf } from "../rights.policy";
import { hasPasswordLogin } from "../single-sign-on/staff-passwords.server";
import { queueEmailLink, VERIFICATION_SENT } from "../verification.service.server";
import { dualControlOf } from "./dual-control-view.server";
import { separated } from "./dual-control.policy";
import { requestSecond } from "./dual-control.service.server";
import { tellingAbout } from "./stopped-clients.server";
import {
  changedRight,
  erasesWithSecond,
  type Insistence,
  needsSecond,
  type RightsAction,
  type UserAction,
  whyNot,
  whyNotSeparated,
} from "./user-administration.policy";
import { lockAdministratorsFor } from "./user-administrators.server";

interface Task {
  /** Counts the action for the account that it is about. Throws a PortalError (429) when a rate limit is reached. */
  count?: (id: number) => Promise<void>;
  /**
   * Carries out the action. Resolves to false when the state of the account no longer allows it, because another administrator was faster.
   */
  store: (trx: Trx, user: UserRow, now: Date, actor: Actor) => Promise<boolean>;
  event: string;
  message: (reason: string) => string;
}

type RecordedAction = Exclude<UserAction, "log-in-as" | "erase" | RightsAction>;

/** The tokens that let somebody log in or change something without the password. They end together with the sessions. */
const WAYS_IN = ["change-password", "change-email", "login-as-user", ...FACTOR_TOKENS] as const;

/** Grants or withdraws a right. The row of the account is changed in any case, so that `lockAdministrators` sees the change. */
const changeOfRight = (change: { right: Right; isGranted: boolean }): Task => ({
  store: (trx, { id }, now, actor) => storeRight(trx, id, change, actor.name, now),
  event: change.isGranted ? "account.right-granted" : "account.right-withdrawn",
  message: () => `${change.isGranted ? "Granted" : "Withdrew"} the right ${RIGHT_NAMES[change.right]}.`,
});

const TASKS: Record<RecordedAction, Task> = {
  disable: {
    store: async (trx, { id }, now) => {
      await endTokensOf(trx, id, ["reset-password", ...WAYS_IN], now);
      await forgetPlaces(trx, id);
      await endSessionsOf(trx, [id], "disabled", { now });
      return disableAccount(trx, id, now);
    },
    event: "account.disabled",
    message: (reason) => `Disabled the account: ${reason}`,
  },
  enable: {
    store: (trx, { id }, now) => enableAccount(trx, id, now),
    event: "account.enabled",
    message: () => "Enabled the account.",
  },
  lock: {
    // Reset codes stay valid, so that the owner learns of the lock when using one.
    store: async (trx, user, now) => {
      await endTokensOf(trx, user.id, WAYS_IN, now);
      await forgetPlaces(trx, user.id);
      await endSessionsOf(trx, [user.id], "locked", { now });
      const isLocked = await lockAccount(trx, user.id, now);
      if (isLocked) await tellAboutLock(trx, user, null, now);
      return isLocked;
    },
    event: "account.locked",
    message: (reason) => `Locked the account until an administrator unlocks it: ${reason}`,
  },
  unlock: {
    store: async (trx, user, now) => {
      await forgetPlaceFailures(trx, user.id);
      await resetAccountTries(trx, user);
      return unlockAccount(trx, user.id, now);
    },
    event: "account.unlocked",
    message: () => "Unlocked; wrong passwords are forgotten.",
  },
  "reset-factors": {
    store: (trx, user, now) => resetFactors(trx, user, now),
    event: "account.factors-reset",
    message: resetText,
  },
  "send-verification": {
    count: (id) => consumeTry("verification-account", id),
    store: async (trx, user, now) => {
      await queueEmailLink(trx, user, { now });
      return true;
    },
    event: VERIFICATION_SENT.event,
    message: () => VERIFICATION_SENT.message,
  },
  "send-reset-link": {
    count: consumeResetLinkTry,
    store: async (trx, user, now) => {
      await sendResetLink(trx, user, now);
      return true;
    },
    event: RESET_CODE_SENT,
    message: () => "Sent the link to choose a password.",
  },
  "withdraw-email": {
    store: async (trx, { id }, now) => (await endTokensOf(trx, id, ["change-email"], now)) > 0,
    event: "account.email-change-withdrawn",
    message: () => "Withdrew the change of the email address.",
  },
  "end-sessions": {
    store: async (trx, { id }, now) => {
      await endTokensOf(trx, id, WAYS_IN, now);
      await endSessionsOf(trx, [id], "administrator", { now });
      return true;
    },
    event: "account.sessions-ended",
    message: () => "Ended all sessions of the account.",
  },
  "unlink-sign-on": {
    store: async (trx, { id }, now) => {
      await endTokensOf(trx, id, WAYS_IN, now);
      await endSessionsOf(trx, [id], "administrator", { now });
      return deleteIdentities(trx, id);
    },
    event: "account.sign-on-unlinked",
    message: () => "Unlinked the account from the identity provider and ended its sessions.",
  },
};

/** Returns the task of an action. */
function taskOf(action: Exclude<AdministrationAction, "erase">): Task {
  const change = changedRight(action);
  return change ? changeOfRight(change) : TASKS[action as keyof typeof TASKS];
}

const refusal = (action: UserAction, message: string) => new PortalError(message, { code: `account.${action}` });

/**
 * Returns the account when this actor may take this action on it now. Locks the administrators' rows, so that concurrent decisions about
 * administrators wait for this transaction, and the account, so that it cannot join a company meanwhile. Throws a PortalError (404) when there is no such account, a PortalError (403) when the actor is
 * no longer a user administrator, or a PortalError that says why the action is not possible.
 */
export async function requireAccount(
  trx: Trx,
  action: UserAction,
  id: number,
  actor: Actor,
  { now, isLastResort = false, isWished = false }: { now: Date } & Insistence,
): Promise<UserRow> {
  const administrators = await lockAdministratorsFor(trx, actor);
  const user = await lockUser(trx, id, now);
  if (!user) throw notFound();
  const duties = await dualControlOf(trx, user, actor.id, now);
  const isWishWithdrawn = isWished && user.erasureRequestedAt === null;
  const circumstances = { by: actor.id, administrators, ...duties, isLastResort, isWishWithdrawn, now };
  const granted = (await listRightsOf(trx, id)).map(({ right }) => right);
  const account = {
    ...user,
    rights: rightsOf(user, granted),
    hasFactor: await hasFactor(trx, id),
    isLinked: (await listIdentities(trx, id)).length > 0,
    hasPendingEmail: (await findPendingEmail(id, trx, now)) !== null,
    hasPasswordLogin: await hasPasswordLogin(trx, user, now),
    erasureBarriers: action === "erase" ? await findErasureBarriers(trx, user, now) : [],
  };
  const reason = whyNot(action, account, circumstances);
  if (reason && reason === whyNotSeparated(action, account, circumstances)) throw separated(reason);
  if (reason) throw refusal(action, reason);
  return user;
}

/** Checks that the action is possible now, before it is confirmed. Throws the same errors as `requireAccount`. */
export const requireAction = async (action: UserAction, id: number, by: { actor: Actor } & Insistence) => {
  await inTransaction((trx) => requireAccount(trx, action, id, by.actor, { ...by, now: new Date() }));
};

export type AdministrationAction = Exclude<UserAction, "log-in-as">;

export interface Administration extends Insistence {
  action: AdministrationAction;
  id: number;
  /** An administrator or the command line. */
  actor: Actor;
  /** Why an account is disabled or locked, or its factors are reset. It is kept in the audit trail. */
  reason?: string;
}

/** Returns what the audit entry of a last resort adds. */
async function lastResortText(trx: Trx, { id, isLastResort = false }: Administration): Promise<string> {
  const customer = isLastResort ? await findCustomer(trx, [id]) : null;
  return customer === null ? "" : ` As a last resort, although the account is a member of the customer ${customer}.`;
}

/**
 * Takes an action on an account and records it in the audit trail. The sessions of a disabled account end at their next request, and a
 * withdrawn right is gone from the next request on. Throws the same errors as `requireAccount`, and a PortalError (429) when the
 * rate limit of the action is reached. When two administrators act at the same time, the second gets an error.
 * Returns `requested` when a second user administrator must approve the action first.
 */
export async function administerAccount(
  administration: Administration,
  now = new Date(),
): Promise<"done" | "requested"> {
  const { action, id, actor, reason = "" } = administration;
  const carryOut = action === "erase" ? await erasing(id) : recording(action, administration);
  if (action !== "erase") await taskOf(action).count?.(id);
  return inTransaction(async (trx) => {
    const user = await requireAccount(trx, action, id, actor, { ...administration, now });
    const wanted = requestFor(action, actor);
    if (wanted && actor.id !== null) {
      await requestSecond(trx, user, { ...wanted, reason }, { ...actor, id: actor.id }, now);
      return "requested";
    }
    await carryOut(trx, user, { actor, reason }, now);
    return "done";
  });
}

type CarryOut = (trx: Trx, user: UserRow, by: { actor: Actor; reason: string }, now: Date) => Promise<void>;

/** Returns a function that takes an action and records it. */
function recording(action: Exclude<AdministrationAction, "erase">, administration: Administration): CarryOut {
  const { store, event, message } = taskOf(action);
  return async (trx, user, { actor, reason }, now) => {
    const tell = await tellingAbout(trx, action, user, now);
    if (!(await store(trx, user, now, actor)))
      throw refusal(action, "The account was changed meanwhile. Please look again.");
    await tell(actor);
    const text = message(reason) + (await lastResortText(trx, administration));
    await recordAudit(trx, { actor, event, message: text, userId: user.id }, now);
  };
}

/** Prepares the erasure of an account. Returns a function that carries it out and records it. */
async function erasing(id: number): Promise<CarryOut> {
  const preparation = await prepareErasure(id);
  return (trx, user, by, now) => erasePerson(trx, user, { ...by, preparation }, now);
}

/** Returns whether an action of this actor waits for a second user administrator. */
export const waitsForSecond = (action: UserAction, actor: Actor): boolean => requestFor(action, actor) !== null;

/** Returns what this actor can do only together with a second user administrator, or null. */
function requestFor(action: UserAction, actor: Actor) {
  if (action === "erase")
    return erasesWithSecond({ by: actor.id, isStrict: fourEyes() === "strict" })
      ? ({ kind: "erase", right: null } as const)
      : null;
  if (action === "reset-factors") return { kind: "reset-factors", right: null } as const;
  const change = changedRight(action);
  if (!change?.isGranted || change.right === "applicant") return null;
  const { right } = change;
  const isForTwo = needsSecond(right, { by: actor.id, isStrict: fourEyes() === "strict" });
  return isForTwo ? ({ kind: "grant-right", right } as const) : null;
}
