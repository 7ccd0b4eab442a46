import { type Client } from "~/domain/security-events/client";
import { type DbOrTrx } from "~db/connection.server";
import { findSession, insertSession } from "~db/repositories/sessions.server";
import { type Proof, type Row, type SignOnStrength } from "~db/tables";
import { type SessionOwner } from "../session-user.server";
import { isOpenSession, SESSION_LIFE } from "./sessions.policy";

export interface NewSession {
  id: string;
  kind: Row<"sessions">["kind"];
  owner: SessionOwner;
  /** The administrator who acts as the owner. */
  impersonator?: SessionOwner | undefined;
  client: Client;
  /** With what the user proved just now who they are; null for a session that continues another one. */
  proof?: Proof | null;
  /** For a login through the identity provider, how it recognised the user. */
  signedOnWith?: SignOnStrength | null | undefined;
  startedAt: Date;
  /** When the session ends in any case. Defaults to 24 hours after it started. */
  expiresAt?: Date;
}

/** Stores a session that begins to be used at `now`. */
export async function storeSession(
  db: DbOrTrx,
  { id, kind, owner, impersonator, client, proof = null, signedOnWith = null, startedAt, expiresAt }: NewSession,
  now: Date,
): Promise<void> {
  await insertSession(db, {
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
    provedAt: proof && now,
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
