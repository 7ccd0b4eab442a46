import { systemActor } from "~/domain/audit/audit.service.server";
import { recordSecurityEvent } from "~/domain/security-events/security-events.service.server";
import { type SingleSignOn } from "~/lib/single-sign-on.server";
import { getDb } from "~db/connection.server";
import { hasFactor } from "~db/repositories/second-factors.server";
import { findIdentity } from "~db/repositories/sign-on-identities.server";
import { findUserById, lockUser, type UserRow } from "~db/repositories/users.server";
import { type Row } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { isShut } from "../account-lock.server";
import { startPendingLogin } from "../factors/pending-login.server";
import { noteProof } from "../factors/step-up.server";
import { type LoginOrigin } from "../login-origin";
import { findKnownPlace } from "../login-places.server";
import { type Login, recordLogin } from "../login.service.server";
import { hashPassword } from "../passwords.server";
import { isStaff } from "../rights.policy";
import { type SessionUser } from "../session-user";
import { staffRightsOf } from "../staff-rights.server";
import { type Claims, confirmedEmail, rightsOfGroups, strengthOf } from "./claims.policy";
import { findAccount, unknownPassword } from "./find-account.server";
import { BY_GROUPS, followGroups } from "./group-rights.server";
import { exchange } from "./provider.server";
import { SIGN_ON_REFUSALS, SignOnRefused } from "./refusals";
import { type SignOnRequest, takeSignOn } from "./sign-on-request.server";

/** An answer of the identity provider that a browser brings. */
export interface SignOnAnswer {
  /** What the browser kept when the login began. */
  kept: SignOnRequest | undefined;
  /** The query of the callback's address. */
  search: string;
  origin: LoginOrigin;
}

/** Records that a login through the identity provider was refused. */
export function noteRefusedSignOn({ reason, about }: SignOnRefused, { client }: LoginOrigin): Promise<void> {
  const { detail } = SIGN_ON_REFUSALS[reason];
  const who = { userId: about.userId ?? null, actorName: about.email ?? null };
  return recordSecurityEvent(getDb(), { event: "sign-on.refused", ...who, client, detail });
}

/** Uses up the request of an answer and exchanges its code. Throws a SignOnRefused. */
async function claimsOf(settings: SingleSignOn, { kept, search }: SignOnAnswer, now: Date) {
  const query = new URLSearchParams(search);
  const token = await takeSignOn(kept, query.get("state"), now);
  const request = kept as SignOnRequest; // `takeSignOn` refuses an answer without one
  return { token, claims: await exchange(settings, search, request, token.sessionId !== null) };
}

/** Throws a SignOnRefused when the account is disabled or locked, as with a password. */
async function requireOpen(user: UserRow, origin: LoginOrigin, now: Date): Promise<string | null> {
  const about = { userId: user.id, email: user.email };
  if (user.isDisabled) throw new SignOnRefused("disabled", about);
  const place = await findKnownPlace(user, origin, now);
  if (isShut(user, place, now)) throw new SignOnRefused("locked", about);
  return place;
}

/**
 * Finds the account of the person, grants and withdraws what their groups say, and returns the account, with the name of the customer
 * company that kept it from a right. The rights are withdrawn even if
 * the login is refused afterwards. Throws a SignOnRefused.
 */
async function arrive(settings: SingleSignOn, claims: Claims, origin: LoginOrigin, now: Date) {
  const wanted = rightsOfGroups(claims, settings);
  const actor = { ...systemActor(BY_GROUPS), client: origin.client };
  const unusableHash = await hashPassword(unknownPassword());
  const { id, customer } = await inTransaction(async (trx) => {
    const found = await findAccount(trx, { claims, wanted, unusableHash, actor }, now);
    await lockUser(trx, found.id, now);
    return {
      id: found.id,
      customer: found.isDisabled ? null : await followGroups(trx, found.id, wanted, actor, now),
    };
  });
  const user = await findUserById(getDb(), id);
  if (!user) throw new SignOnRefused("group");
  return { user, customer };
}

async function signOn(settings: SingleSignOn, claims: Claims, origin: LoginOrigin, now: Date): Promise<Login> {
  const { user, customer } = await arrive(settings, claims, origin, now);
  const place = await requireOpen(user, origin, now);
  if (!isStaff({ rights: await staffRightsOf(getDb(), user) }))
    throw new SignOnRefused(customer === null ? "group" : "company", { userId: user.id, email: user.email });
  const signedOnWith = strengthOf(claims, settings);
  const proof = signedOnWith === "two-factors" ? "single-sign-on" : "sign-on";
  if (proof === "sign-on" && (await hasFactor(getDb(), user.id)))
    return { pending: await startPendingLogin(user, origin.client, now, "sign-on"), userId: user.id };
  return recordLogin(user, place, { proof, signedOnWith }, { origin, now });
}

/** Confirms who is in the session that asked for it. Throws a SignOnRefused when somebody else answered, or not just now. */
async function confirm(
  settings: SingleSignOn,
  token: Row<"tokens">,
  claims: Claims,
  user: SessionUser | null,
  now: Date,
): Promise<void> {
  const identity = await findIdentity(getDb(), { issuer: claims.iss, subject: claims.sub });
  const about = { userId: token.userId, email: user?.email ?? null };
  if (!user || user.id !== token.userId || user.sessionId !== token.sessionId) throw new SignOnRefused("state", about);
  if (identity?.userId !== user.id) throw new SignOnRefused("person", about);
  // The two clocks may differ by a minute.
  const isNew = (claims.auth_time ?? 0) * 1000 > Date.parse(token.createdAt) - 60_000;
  if (!isNew) throw new SignOnRefused("stale", about);
  await noteProof(user, strengthOf(claims, settings) === "two-factors" ? "single-sign-on" : "sign-on", now);
}

/** What an answer of the identity provider led to: a login, or the confirmation of who is in the session. */
export type SignedOn = { login: Login } | { confirmed: true };

/**
 * Finishes what the browser began at the identity provider. Returns the login, which may wait for the portal's own second factor, or that the
 * user of the session was confirmed. Records a refusal as a security event and throws it as a SignOnRefused.
 *
 * @param user The user of the request's session, or null.
 */
export async function finishSignOn(
  settings: SingleSignOn,
  answer: SignOnAnswer,
  user: SessionUser | null,
  now = new Date(),
): Promise<SignedOn> {
  let email: string | null = null;
  try {
    const { token, claims } = await claimsOf(settings, answer, now);
    email = confirmedEmail(claims);
    if (token.sessionId === null) return { login: await signOn(settings, claims, answer.origin, now) };
    await confirm(settings, token, claims, user, now);
    return { confirmed: true };
  } catch (error) {
    if (error instanceof SignOnRefused) {
      const told = new SignOnRefused(error.reason, { email, ...error.about }, error.cause);
      await noteRefusedSignOn(told, answer.origin);
    }
    throw error;
  }
}
