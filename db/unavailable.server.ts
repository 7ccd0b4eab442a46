import pg from "pg";

/** When several addresses were tried, the error has no message and only its code tells the reason. */
const reasonOf = (cause: unknown): string => {
  const { message, code } = cause as { message?: string; code?: string };
  return message || code || String(cause);
};

/** Thrown when the database cannot be used at present. The driver's own error is the cause. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database is not available: ${reasonOf(cause)}`, { cause });
    this.name = "DatabaseUnavailable";
  }
}

const isNoFault = (error: unknown) => error instanceof TypeError || error instanceof RangeError;

/**
 * Returns whether the connection on which PostgreSQL's driver reports this error can no longer be used: it broke, hangs, was ended by the
 * server (classes 08 and 57P), or leads to a server that is read-only (25006), as after a failover.
 */
export const isLost = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? /^(08|57P|25006)/.test(error.code ?? "") : !isNoFault(error);

/**
 * Returns whether PostgreSQL, or the network between, had ended the connection. Unlike a time limit, this is known at once, so there is
 * time to use another connection.
 */
export const isEnded = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof pg.DatabaseError) return /^57P0[123]$/.test(code ?? "");
  return code === "ECONNRESET" || code === "EPIPE" || /^Connection terminated|not queryable/.test(message ?? "");
};

/**
 * Returns whether the server lacks resources (53), has a problem with its disk (58), or ended a statement or a wait for a lock that took
 * too long (57014, 55P03).
 */
const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(53|58|57014|55P03)/.test(error.code ?? "");

/** Converts an error of PostgreSQL's driver to the one that the rest of the portal expects. */
export const fromPostgres = (error: unknown): unknown => {
  if (error instanceof DatabaseUnavailable) return error;
  return isLost(error) || isRefused(error) ? new DatabaseUnavailable(error) : error;
};

/**
 * Error codes of SQLite and the file system: the disk is full, broken or not writable, or another process does not release the database.
 */
const UNUSABLE = /^(SQLITE_(FULL|IOERR|CANTOPEN|BUSY|READONLY|NOMEM)|ENOSPC$|EDQUOT$|EROFS$|EIO$)/;

/** Returns whether an operation failed because the portal cannot read or store anything at present. It may be tried again soon. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && UNUSABLE.test(code);
}
