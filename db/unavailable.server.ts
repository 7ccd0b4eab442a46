import pg from "pg";

/** Of several addresses that were tried, only the code says why. */
const reasonOf = (cause: unknown): string => {
  const { message, code } = cause as { message?: string; code?: string };
  return message || code || String(cause);
};

/** The database cannot be used at the moment; the driver's own error is the cause. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database is not available: ${reasonOf(cause)}`, { cause });
    this.name = "DatabaseUnavailable";
  }
}

const isNoFault = (error: unknown) => error instanceof TypeError || error instanceof RangeError;

/**
 * Whether the connection that PostgreSQL's driver reports this on is of no use any more: it broke, hangs, was ended by the server
 * (classes 08 and 57P), or leads to a server that only reads (25006), as after a failover.
 */
export const isLost = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? /^(08|57P|25006)/.test(error.code ?? "") : !isNoFault(error);

/** Too little of something on the server (53), its disk (58), a statement or a lock that took too long (57014, 55P03). */
const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(53|58|57014|55P03)/.test(error.code ?? "");

/** What PostgreSQL's driver threw, as the rest of the portal sees it. */
export const fromPostgres = (error: unknown): unknown =>
  isLost(error) || isRefused(error) ? new DatabaseUnavailable(error) : error;

/** SQLite and the file system: the disk is full, broken or cannot be written to, or another process does not let go of the database. */
const UNUSABLE = /^(SQLITE_(FULL|IOERR|CANTOPEN|BUSY|READONLY|NOMEM)|ENOSPC$|EDQUOT$|EROFS$|EIO$)/;

/** Whether this failed because the portal cannot read or store anything at the moment: it may be tried again soon. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && UNUSABLE.test(code);
}
