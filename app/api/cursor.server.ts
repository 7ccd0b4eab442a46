import { createHash } from "node:crypto";
import { z } from "zod";
import { LARGEST_ID } from "~/lib/list-params";
import { messages } from "~/lib/messages";
import { type Position } from "~db/keyset.server";
import { ListPart } from "./call";
import { InvalidInput } from "./check";
import { optionalTimestamp, TAKEN_DATES } from "./dates";
import { PAGE_SIZE, pageShape } from "./paging";

/**
 * Lists in parts. A cursor names the last row that was answered, so that rows which are added meanwhile shift nothing. Without
 * `updatedSince`, a list has its own order. With it, the rows are in the order of their last change: a row that changes while it is read
 * comes again at the end.
 */

const LONGEST_CURSOR = 300;

/** The parameters of a query that select a part of a list. */
export const partShape = {
  updatedSince: optionalTimestamp().openapi({
    type: "string",
    description: `Only what was changed at this time or later, the oldest change first: ${TAKEN_DATES}`,
  }),
  pageSize: pageShape.pageSize,
  cursor: z
    .string()
    .max(LONGEST_CURSOR, messages.outOfRange)
    .optional()
    .describe("`nextCursor` of the answer before, with the same filters"),
};

export const PART_NOTES = `At most ${PAGE_SIZE} at a time. \`nextCursor\` gets the next ones. With \`updatedSince\` they are in the order of their last change, and one that changes meanwhile comes again.`;

const CURSOR_INVALID = "The cursor is not valid. Send `nextCursor` of an answer unchanged, or begin without a cursor.";
const CURSOR_OF_OTHERS =
  "The cursor belongs to another list or to other filters. Send the filters with which it was answered, or begin without a cursor.";
const PAGE_AND_CURSOR = "Send `page` or `cursor`, not both. A page number counts the rows from the beginning.";
const PAGE_OF_CHANGES = "With `updatedSince`, send `cursor` instead of `page`.";

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const content = z.tuple([z.string(), z.string().regex(TIMESTAMP).nullable(), z.number().int().min(1).max(LARGEST_ID)]);

/** Returns what the cursor contains, or null when it is not one. */
function decode(cursor: string): z.output<typeof content> | null {
  try {
    return content.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** Which part of a list a query selects. */
export interface PartQuery {
  /** An ISO timestamp, or null for all rows in the list's own order. */
  updatedSince: string | null;
  /** The row behind which the part begins, or null for the beginning. */
  behind: Position | null;
  size: number;
  /** Identifies the list with its filters. */
  list: string;
}

interface Sent {
  updatedSince: { iso: string } | null;
  pageSize?: number | undefined;
  cursor?: string | undefined;
  page?: number | undefined;
}

/**
 * Returns which part of a list a query selects. Throws InvalidInput when the cursor is not valid, belongs to another list, or is sent with a
 * page number.
 * @param name The path of the call. The cursor of another call is refused.
 */
export function partQueryOf(name: string, { cursor, pageSize: size = PAGE_SIZE, page, ...filters }: Sent): PartQuery {
  const updatedSince = filters.updatedSince?.iso ?? null;
  const fingerprint = createHash("sha256").update(JSON.stringify([name, { ...filters, updatedSince }]));
  const list = fingerprint.digest("base64url").slice(0, 11);
  if (page !== undefined && cursor !== undefined) throw new InvalidInput({ cursor: PAGE_AND_CURSOR });
  if (page !== undefined && updatedSince !== null) throw new InvalidInput({ page: PAGE_OF_CHANGES });
  if (cursor === undefined) return { updatedSince, behind: null, size, list };
  const read = decode(cursor);
  if (!read) throw new InvalidInput({ cursor: CURSOR_INVALID });
  const [of, at, id] = read;
  if (of !== list) throw new InvalidInput({ cursor: CURSOR_OF_OTHERS });
  return { updatedSince, behind: { at, id }, size, list };
}

/**
 * Returns the answer with the rows of a part and the cursor of the next one.
 * @param rows The rows as they were read.
 * @param positionOf Returns the position of a row in the order of the list.
 */
export function partOf<Row, Wire>(
  { list, size }: PartQuery,
  rows: readonly Row[],
  { positionOf, toWire }: { positionOf: (row: Row) => Position; toWire: (row: Row) => Wire },
): ListPart<Wire> {
  const last = rows.length < size ? undefined : rows.at(-1);
  const position = last && positionOf(last);
  const next = position && Buffer.from(JSON.stringify([list, position.at, position.id])).toString("base64url");
  return new ListPart(rows.map(toWire), next ?? null);
}
