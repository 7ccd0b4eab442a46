import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { formatDateTime } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { getDb, type Trx } from "~db/connection.server";
import {
  deleteFactor,
  type FactorRow,
  insertFactor,
  listFactors,
  listRecoveryCodes,
  renameFactor,
  replaceRecoveryCodes,
} from "~db/repositories/second-factors.server";
import { endSessionsOf } from "~db/repositories/sessions.server";
import { endTokensOf } from "~db/repositories/tokens.server";
import { lockUser } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { requireNoImpersonation } from "../administration/impersonation.policy";
import { isStaff } from "../rights.policy";
import { type SessionUser } from "../session-user";
import { tellAboutFactors } from "./factor-mails.server";
import { FACTOR_KINDS, MOST_FACTORS } from "./factors.policy";
import { makeRecoveryCodes } from "./recovery-codes.server";
import { recordProof, requireFreshProof } from "./step-up.server";
import { openTotpSecret } from "./totp-secrets.server";

/** A second factor as pages show it. */
export interface FactorView {
  id: number;
  kind: FactorRow["kind"];
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

const viewOf = ({ id, kind, name, createdAt, lastUsedAt }: FactorRow): FactorView => ({
  id,
  kind,
  name,
  createdAt,
  lastUsedAt,
});

/** Returns the second factors of an account, oldest first. */
export const listFactorViews = async (userId: number): Promise<FactorView[]> =>
  (await listFactors(getDb(), userId)).map(viewOf);

/** Returns the second factors of a user, and how many recovery codes are left. */
export const getOwnFactors = async ({ id }: Pick<SessionUser, "id">) => ({
  factors: await listFactorViews(id),
  codesLeft: (await listRecoveryCodes(getDb(), id)).length,
});

/**
 * Returns what staff without a second factor are told, or null.
 *
 * @param dueAt Until when they may go on without one, or null when none is missing.
 */
export function missingFactorText(dueAt: string | null, now = new Date()): string | null {
  if (dueAt === null) return null;
  const until =
    dueAt <= now.toISOString()
      ? "You can go on as soon as you have added one."
      : `You can go on without one until ${formatDateTime(dueAt)} UTC.`;
  return `Staff of this portal log in with a second factor. ${until}`;
}

const WHAT = "the second factors";

/** The error for a change of the factors that is not possible. */
export const refusal = (message: string, field?: string) =>
  new PortalError(message, { code: "factor.refused", ...(field && { field }) });

const gone = () => refusal("This factor has been removed already.");

/** Throws a PortalError when the user may not change the factors now: an administrator acts as them, or a fresh proof is missing. */
export async function requireFactorChange(user: SessionUser, now = new Date()): Promise<void> {
  requireNoImpersonation(user, WHAT);
  await requireFreshProof(user, now);
}

/** Returns the name as it is stored. Throws a PortalError for the field `name` when another factor has it already. */
function freeName(factors: readonly FactorRow[], name: string, except?: number): string {
  const isTaken = factors.some((factor) => factor.id !== except && factor.name.toLowerCase() === name.toLowerCase());
  if (isTaken) throw refusal("Another factor has this name already.", "name");
  return name;
}

/** Throws a PortalError when the account has ten factors already. */
function requireRoom(factors: readonly FactorRow[]): void {
  if (factors.length >= MOST_FACTORS) throw refusal(`An account can have ${MOST_FACTORS} factors. Remove one first.`);
}

/** Throws a PortalError when the account has ten factors already, or when another factor has the name (field `name`). */
export async function requireRoomFor(userId: number, name?: string): Promise<void> {
  const factors = await listFactors(getDb(), userId);
  requireRoom(factors);
  if (name !== undefined) freeName(factors, name);
}

/** Returns whether one of the factors is an authenticator app with this secret. */
export const isKnownSecret = (factors: readonly FactorRow[], secret: string): boolean =>
  factors.some((factor) => factor.secret !== null && openTotpSecret(factor.secret, factor.userId) === secret);

/** Throws a PortalError for the field `code` when an authenticator app of the account has the secret of the new factor. */
function requireNewSecret(factors: readonly FactorRow[], { secret, userId }: NewFactor & { userId: number }): void {
  const plain = secret ? openTotpSecret(secret, userId) : null;
  if (plain !== null && isKnownSecret(factors, plain))
    throw refusal("This key has been added already. Open the page again and scan the new code.", "code");
}

type NewFactor = Omit<NewRow<"secondFactors">, "userId" | "createdAt">;

const LOGGED_OUT = "All other browsers and programs of the account have been logged out";

/**
 * Ends the sessions, access tokens and permits to change the password that were given without a second factor when the account gets its
 * first one. The session in use goes on, because the factor was proved in it. Returns how many sessions and tokens ended.
 */
async function endOneFactorSessions(trx: Trx, { id, sessionId }: SessionUser, now: Date): Promise<number> {
  await endTokensOf(trx, id, ["change-password", "login-as-user"], now);
  return endSessionsOf(trx, [id], "factor", { keep: sessionId, keepTwoFactors: true, now });
}

/**
 * Stores a factor that the user has just proved to hold, with its audit entry and message. The first factor ends the sessions that were
 * opened without one. Ten recovery codes are made with the first factor and returned; otherwise null. Throws a PortalError when the account
 * has ten factors, the name is taken, or an authenticator app has the same secret (field `code`).
 */
export async function addFactor(user: SessionUser, factor: NewFactor, now = new Date()): Promise<string[] | null> {
  const isFirst = (await listRecoveryCodes(getDb(), user.id)).length === 0;
  const made = isFirst ? await makeRecoveryCodes() : null;
  await inTransaction(async (trx) => {
    await lockUser(trx, user.id, now);
    const factors = await listFactors(trx, user.id);
    requireRoom(factors);
    requireNewSecret(factors, { ...factor, userId: user.id });
    const id = await insertFactor(trx, {
      ...factor,
      name: freeName(factors, factor.name),
      userId: user.id,
      createdAt: now,
    });
    if (made) await replaceRecoveryCodes(trx, user.id, made.hashes);
    const ended = factors.length === 0 ? await endOneFactorSessions(trx, user, now) : 0;
    const consequence = ended > 0 ? `${LOGGED_OUT}: ${ended}.` : "";
    await tell(
      trx,
      user,
      { event: "account.factor-added", key: `added-${id}`, verb: "added", factor, consequence },
      now,
    );
    await recordProof(trx, user, factor.kind, now);
  });
  return made?.codes ?? null;
}

interface Change {
  event: string;
  key: string;
  verb: string;
  factor: { kind: FactorRow["kind"]; name: string };
  /** A sentence about what else changed, or "". */
  consequence?: string;
}

/** Records a change of a factor and tells the owner about it. */
async function tell(trx: Trx, { id, actor }: { id: number; actor: Actor }, change: Change, now: Date): Promise<void> {
  const { event, key, verb, factor, consequence = "" } = change;
  const named = `${FACTOR_KINDS[factor.kind]}: ${factor.name}`;
  const message = [`The second factor was ${verb}: ${named}.`, consequence].filter(Boolean).join(" ");
  await recordAudit(trx, { actor, event, message, userId: id }, now);
  const detail = consequence === "" ? named : `${named}. ${consequence}`;
  await tellAboutFactors(trx, id, { key, what: `A second factor of your account was ${verb}`, detail }, now);
}

/** Returns a factor of the user. Throws a PortalError when it was removed. */
export async function requireOwnFactor(user: SessionUser, id: number): Promise<FactorView> {
  const factor = (await listFactorViews(user.id)).find((one) => one.id === id);
  if (!factor) throw gone();
  return factor;
}

/** Changes the name of a factor. Throws a PortalError when the name is taken (field `name`) or the factor was removed. */
export async function renameOwnFactor(user: SessionUser, id: number, name: string, now = new Date()): Promise<void> {
  requireNoImpersonation(user, WHAT);
  await inTransaction(async (trx) => {
    const factors = await listFactors(trx, user.id);
    const before = factors.find((factor) => factor.id === id);
    if (!before || !(await renameFactor(trx, { id, userId: user.id }, freeName(factors, name, id)))) throw gone();
    const message = `Renamed the second factor ${before.name} to ${name}.`;
    await recordAudit(trx, { actor: user.actor, event: "account.factor-renamed", message, userId: user.id }, now);
  });
}

/** Throws a PortalError when staff would be left without a factor. */
function requireAnother(user: SessionUser, factors: readonly unknown[]): void {
  if (factors.length === 1 && isStaff(user))
    throw refusal("Staff need a second factor. Add another one before you remove this one.");
}

/** Returns a factor that the user can remove. Throws the same errors as `removeOwnFactor`. */
export async function requireRemovable(user: SessionUser, id: number): Promise<FactorView> {
  const factor = await requireOwnFactor(user, id);
  requireAnother(user, await listFactors(getDb(), user.id));
  return factor;
}

/**
 * Removes a factor. The recovery codes go with the last one. Staff keep at least one factor. Throws a PortalError when the factor was
 * removed already or is the last one of staff, and what `requireFactorChange` throws.
 */
export async function removeOwnFactor(user: SessionUser, id: number, now = new Date()): Promise<void> {
  await requireFactorChange(user, now);
  await inTransaction(async (trx) => {
    const factors = await listFactors(trx, user.id);
    const factor = factors.find((one) => one.id === id);
    if (!factor) throw gone();
    requireAnother(user, factors);
    if (!(await deleteFactor(trx, { id, userId: user.id }))) throw gone();
    if (factors.length === 1) await replaceRecoveryCodes(trx, user.id, []);
    await tell(trx, user, { event: "account.factor-removed", key: `removed-${id}`, verb: "removed", factor }, now);
  });
}

/** Replaces the recovery codes and returns the new ones. Throws a PortalError without a factor, and what `requireFactorChange` throws. */
export async function renewRecoveryCodes(user: SessionUser, now = new Date()): Promise<string[]> {
  await requireFactorChange(user, now);
  const { codes, hashes } = await makeRecoveryCodes();
  await inTransaction(async (trx) => {
    if ((await listFactors(trx, user.id)).length === 0) throw refusal("Add a second factor first.");
    await replaceRecoveryCodes(trx, user.id, hashes);
    const entry = {
      event: "account.recovery-codes-made",
      message: "Made new recovery codes. The former ones have ended.",
    };
    await recordAudit(trx, { actor: user.actor, ...entry, userId: user.id }, now);
    const told = {
      key: `codes-${now.getTime()}`,
      what: "New recovery codes were made",
      detail: "The former ones have ended.",
    };
    await tellAboutFactors(trx, user.id, told, now);
  });
  return codes;
}
