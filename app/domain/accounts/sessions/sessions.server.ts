import { type Client } from "~/domain/security-events/client";
import { PortalError } from "~/lib/errors";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { hasFactor } from "~db/repositories/second-factors.server";
import { findSession, insertSession } from "~db/repositories/sessions.server";
import { holdUser } from "~db/repositories/users.server";
import { type Proof, type Row, type SignOnStrength } from "~db/tables";
import { isOneFactor } from "../factors/factors.policy";
import { type SessionOwner } from "../session-user.server";
import { isOpenSession, SESSION_LIFE } from "./sessions.policy";

export interface NewSession {
  id: string;
  kind: Row<"sessions">["kind"];
  owner: SessionOwner;
  /** The administrator who acts as the owner. */
  impersonator?: SessionOwner | undefined;
  client: Client;
  /** With what the user proved who they are; null when that does not count in this session. */
  proof?: Proof | null;
  /** When that was. Defaults to now. */
  provedAt?: Date | undefined;
  /** For a login through the identity provider, how it recognised the user. */
  signedOnWith?: SignOnStrength | null | undefined;
  startedAt: Date;
  /** When the session ends in any case. Defaults to 24 hours after it started. */
  expiresAt?: Date;
}

/**
 * Throws a PortalError when the account has got a second factor since the password alone was accepted. The account stays locked until the
 * transaction ends, so that a first factor that is added at the same time ends the session.
 */
async function requireNoFactor(trx: Trx, userId: number): Promise<void> {
  await holdUser(trx, userId);
  if (await hasFactor(trx, userId))
    throw new PortalError("Your account has got a second factor. Please log in again with it.", {
      code: "factor.missing",
    });
}

/**
 * Stores a session that begins to be used at `now`. Throws a PortalError when the user proved one factor and the account has a second one.
 */
export async function storeSession(
  trx: Trx,
  { id, kind, owner, impersonator, client, proof = null, provedAt, signedOnWith = null, ...times }: NewSession,
  now: Date,
): Promise<void> {
  const { startedAt, expiresAt } = times;
  if (proof && isOneFactor(proof) && signedOnWith !== "two-factors") await requireNoFactor(trx, owner.id);
  await insertSession(trx, {
    id,
    kind,
    userId: owner.id,
    epoch: owner.epoch,
    impersonatorId: impersonator?.id ?? null,
    impersonatorEpoch: impersonator?.epoch ?? null,
    startedAt,
    lastUsedAt: now,
    address: client.address,
    userAgent: client.userAgent,
    provedAt: proof && (provedAt ?? now),
    provedBy: proof,
    signedOnWith,
    expiresAt: expiresAt ?? new Date(startedAt.getTime() + SESSION_LIFE),
  });
}

/** Returns whether the session in which a token was made is still valid; true for a token that was made outside of a session. */
export async function isSessionOpen(db: DbOrTrx, id: string | null, now: Date): Promise<boolean> {
  if (id === null) return true;
  const session = await findSession(db, id);
  return session !== null && isOpenSession(session, now);
}
