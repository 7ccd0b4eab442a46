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
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { requireNoImpersonation } from "../administration/impersonation.policy";
import { isStaff } from "../rights.policy";
import { type SessionUser } from "../session-user";
import { tellAboutFactors } from "./factor-mails.server";
import { FACTOR_KINDS, MOST_FACTORS } from "./factors.policy";
import { consumeFactorTry, refuseFactor } from "./prove.service.server";
import { makeRecoveryCodes } from "./recovery-codes.server";
import { open, seal } from "./secret-box.server";
import { noteProof, requireFreshProof } from "./step-up.server";
import { newTotpSecret, qrPath, sealTotpSecret, stepOfCode, totpAddress } from "./totp.server";

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
export const getOwnFactors = async ({ id }: SessionUser) => ({
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

const refusal = (message: string, field?: string) =>
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

type NewFactor = Omit<NewRow<"secondFactors">, "userId" | "createdAt">;

/**
 * Stores a factor that the user has just proved to hold, with its audit entry and message. Ten recovery codes are made with the first
 * factor and returned; otherwise null. Throws a PortalError when the account has ten factors or the name is taken.
 */
export async function addFactor(user: SessionUser, factor: NewFactor, now = new Date()): Promise<string[] | null> {
  const isFirst = (await listRecoveryCodes(getDb(), user.id)).length === 0;
  const made = isFirst ? await makeRecoveryCodes() : null;
  await inTransaction(async (trx) => {
    const factors = await listFactors(trx, user.id);
    requireRoom(factors);
    const id = await insertFactor(trx, {
      ...factor,
      name: freeName(factors, factor.name),
      userId: user.id,
      createdAt: now,
    });
    if (made) await replaceRecoveryCodes(trx, user.id, made.hashes);
    await tell(trx, user, { event: "account.factor-added", key: `added-${id}`, verb: "added", factor }, now);
  });
  await noteProof(user, factor.kind, now);
  return made?.codes ?? null;
}

interface Change {
  event: string;
  key: string;
  verb: string;
  factor: { kind: FactorRow["kind"]; name: string };
}

/** Records a change of a factor and tells the owner about it. */
async function tell(trx: Trx, { id, actor }: { id: number; actor: Actor }, change: Change, now: Date): Promise<void> {
  const { event, key, verb, factor } = change;
  const detail = `${FACTOR_KINDS[factor.kind]}: ${factor.name}`;
  await recordAudit(trx, { actor, event, message: `The second factor was ${verb}: ${detail}.`, userId: id }, now);
  await tellAboutFactors(trx, id, { key, what: `A second factor of your account was ${verb}`, detail }, now);
}

/** How long the page of a new app can be used, in milliseconds. */
const OFFER_LIFETIME = 30 * 60_000;

const offerContext = ({ id, sessionId }: SessionUser) => `offered app ${id} ${sessionId ?? ""}`;

/** Returns a new secret for an authenticator app, sealed for this session. The address of the page contains it, so that nothing is stored. */
export const offerApp = (user: SessionUser, now = new Date()): string =>
  seal(`${now.getTime()} ${newTotpSecret()}`, offerContext(user));

/** Returns the secret in an offer that this session got within 30 minutes, or null. */
function readOffer(user: SessionUser, offer: string, now: Date): string | null {
  const [time, secret] = (open(offer, offerContext(user)) ?? "").split(" ");
  return secret && Number(time) > now.getTime() - OFFER_LIFETIME ? secret : null;
}

/** Returns what an app needs to know: the secret and its QR code. Returns null for an offer of another session or older than 30 minutes. */
export function readAppOffer(user: SessionUser, offer: string, now = new Date()) {
  const secret = readOffer(user, offer, now);
  const groups = secret?.match(/.{1,4}/g) ?? [];
  return secret === null ? null : { secret: groups.join(" "), qr: qrPath(totpAddress(secret, user.username)) };
}

/**
 * Adds an authenticator app that shows the right code for the offered secret. Returns the recovery codes when they were made now, otherwise
 * null. Throws a PortalError for the field `code` or `name`, and what `requireFactorChange` throws.
 */
export async function addApp(
  user: SessionUser,
  { offer, code, name }: { offer: string; code: string; name: string },
  now = new Date(),
): Promise<string[] | null> {
  await requireFactorChange(user, now);
  await consumeFactorTry(user.id, now);
  const secret = readOffer(user, offer, now);
  if (!secret) throw refusal("This page is older than 30 minutes. Please scan the new code.", "code");
  const lastStep = stepOfCode(secret, code.replace(/\s/g, ""), now);
  if (lastStep === null)
    throw await refuseFactor(
      { userId: user.id, actor: user.actor },
      "This code is not right. Check the time of your device, and enter the code that the app shows now.",
    );
  const kind = "totp" as const;
  return addFactor(user, { kind, name, secret: sealTotpSecret(secret, user.id), lastStep, lastUsedAt: now }, now);
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
