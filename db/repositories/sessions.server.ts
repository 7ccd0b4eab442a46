import { type DbOrTrx } from "../connection.server";
import { type NewRow, type Proof, type Row, type SessionEnd } from "../tables";

export async function insertSession(db: DbOrTrx, session: NewRow<"sessions">): Promise<void> {
  await db.insertInto("sessions").values(session).execute();
}

/** Returns a session, open or not, or null when there is none. */
export async function findSession(db: DbOrTrx, id: string): Promise<Row<"sessions"> | null> {
  return (await db.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

export interface SessionUse {
  address: string;
  userAgent: string;
  now: Date;
}

/** Records when and from where a session was used last. Does nothing when that was recorded since `before`. */
export async function storeSessionUse(
  db: DbOrTrx,
  id: string,
  { address, userAgent, now }: SessionUse,
  before: Date,
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ lastUsedAt: now, address, userAgent })
    .where("id", "=", id)
    .where("endedAt", "is", null)
    .where("lastUsedAt", "<=", before.toISOString())
    .execute();
}

/** Records that the user proved in a session who they are. */
export async function storeProof(db: DbOrTrx, id: string, provedBy: Proof, provedAt: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ provedAt, provedBy })
    .where("id", "=", id)
    .where("endedAt", "is", null)
    .execute();
}

/** Selects the sessions of accounts that have not been ended: their own, and those in which they act as other users. */
const unendedOf = (db: DbOrTrx, userIds: readonly number[]) =>
  db
    .selectFrom("sessions")
    .where("sessions.endedAt", "is", null)
    .where((eb) => eb.or([eb("sessions.userId", "in", userIds), eb("sessions.impersonatorId", "in", userIds)]));

/** Returns the sessions of an account that are valid at `now` and were used after `usedAfter`, the one used last first. */
export const listOpenSessions = (db: DbOrTrx, userId: number, { now, usedAfter }: { now: Date; usedAfter: Date }) =>
  unendedOf(db, [userId])
    .innerJoin("users as owner", "owner.id", "sessions.userId")
    .leftJoin("users as impersonator", "impersonator.id", "sessions.impersonatorId")
    .selectAll("sessions")
    .select(["owner.email as userEmail", "impersonator.email as impersonatorEmail"])
    .where("sessions.expiresAt", ">", now.toISOString())
    .where("sessions.lastUsedAt", ">", usedAfter.toISOString())
    .orderBy("sessions.lastUsedAt", "desc")
    .orderBy("sessions.id")
    .execute();

export type ListedSession = Awaited<ReturnType<typeof listOpenSessions>>[number];

/** Ends sessions, and the access tokens that depend on them because an administrator acts as a user with them. Returns how many ended. */
export async function endSessions(
  db: DbOrTrx,
  ids: readonly string[],
  endReason: SessionEnd,
  now: Date,
): Promise<number> {
  if (ids.length === 0) return 0;
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ endedAt: now, endReason })
    .where("endedAt", "is", null)
    .where((eb) =>
      eb.or([
        eb("id", "in", ids),
        eb(
          "id",
          "in",
          eb
            .selectFrom("apiTokens")
            .select("tokenHash")
            .where((token) => token.or([token("parentHash", "in", ids), token("sessionId", "in", ids)])),
        ),
      ]),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

interface EndingOf {
  /** The id of the session that goes on, if any. */
  keep?: string | null;
  /** Whether sessions go on that the identity provider started with two factors. */
  keepTwoFactors?: boolean;
  now: Date;
}

/**
 * Ends all sessions of accounts, including those in which they act as other users or an administrator acts as them. Returns how many ended.
 */
export async function endSessionsOf(
  db: DbOrTrx,
  userIds: readonly number[],
  endReason: SessionEnd,
  { keep, keepTwoFactors = false, now }: EndingOf,
): Promise<number> {
  const rows = await unendedOf(db, userIds).select(["sessions.id", "sessions.signedOnWith"]).execute();
  const ending = rows.filter(
    ({ id, signedOnWith }) => id !== keep && !(keepTwoFactors && signedOnWith === "two-factors"),
  );
  const ids = ending.map(({ id }) => id);
  return endSessions(db, ids, endReason, now);
}
