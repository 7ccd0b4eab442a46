import { type RawBuilder, sql, type SqlBool } from "kysely";
import { type Direction } from "~/lib/list-params";

/**
 * A row of a list that is ordered by a timestamp and the id, or by the id alone. The next part of the list begins behind it. Unlike a number
 * of rows to skip, it stays right while rows are added.
 */
export interface Position {
  /** The timestamp of the row, or null in a list that is ordered by the id alone. */
  at: string | null;
  id: number;
}

/** Which rows of a list with a status a call answers, and which part of them. */
export interface CalledPart<Status> {
  /** Null for every status. */
  status: Status | null;
  /** Only what was changed at this time or later, an ISO timestamp. */
  updatedSince: string | null;
  /** The row behind which the part begins, or null for the beginning. */
  behind: Position | null;
  /** Skips the pages before this one. */
  page: number;
  size: number;
}

/** Returns the condition for the rows behind a position, which both databases read from an index of these columns. */
export function isBehind(
  { at, id }: { at: RawBuilder<unknown>; id: RawBuilder<unknown> },
  position: Position,
  direction: Direction,
): RawBuilder<SqlBool> {
  const sign = sql.raw(direction === "asc" ? ">" : "<");
  if (position.at === null) return sql<SqlBool>`${id} ${sign} ${position.id}`;
  return sql<SqlBool>`(${at}, ${id}) ${sign} (${position.at}, ${position.id})`;
}
