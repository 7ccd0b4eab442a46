const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long a session lasts in milliseconds: without use, and however much it is used. */
export const SESSION_IDLE = 8 * HOUR;
export const SESSION_LIFE = 24 * HOUR;

/** The use of a session is recorded only after this time in milliseconds, so that most requests write nothing. */
const USE_STEP = 5 * MINUTE;

export interface SessionTimes {
  lastUsedAt: string;
  endedAt: string | null;
  expiresAt: string;
}

/** Returns the time since which a session must have been used to be valid. */
export const usedSince = (now: Date): Date => new Date(now.getTime() - SESSION_IDLE);

/** Returns the time before which the last recorded use is too old. */
export const staleBefore = (now: Date): Date => new Date(now.getTime() - USE_STEP);

/** Returns whether a session is valid: not ended, used within 8 hours, and started within 24 hours. */
export const isOpenSession = ({ lastUsedAt, endedAt, expiresAt }: SessionTimes, now: Date): boolean =>
  endedAt === null && Date.parse(expiresAt) > now.getTime() && Date.parse(lastUsedAt) > usedSince(now).getTime();

/** Returns whether the use of a session must be recorded now. */
export const isStale = ({ lastUsedAt }: SessionTimes, now: Date): boolean =>
  Date.parse(lastUsedAt) <= staleBefore(now).getTime();
