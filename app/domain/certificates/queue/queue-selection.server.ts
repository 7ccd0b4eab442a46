import { readId } from "~/lib/ids";
import { type RefusedOrder } from "./bulk-approval.service.server";
import { type SelectionProblem, selectionProblem } from "./queue-fields";
import { LIST_FIELD, queueList, type QueueListParams } from "./queue-list";

/**
 * Reads which orders a link or form names, and the page of the queue on which they were selected. `back` is the address of that page with
 * what is wrong with the selection, or null for a valid one.
 */
export function readSelection(sent: URLSearchParams | FormData) {
  const list = sent.get(LIST_FIELD);
  const ids = selectedIds(sent.getAll("id"));
  const problem = selectionProblem(ids);
  return { list: typeof list === "string" ? list : null, ids, back: problem && queueIn(list, problem) };
}

/** How many reasons the message after an act names. The page before it names all. */
const SHOWN_REASONS = 3;

/**
 * Returns what came of an act on selected orders, with the reasons of the first orders that it left out.
 * @param moreText Returns the sentence about the number of further orders.
 */
export function withReasons(
  done: string,
  refused: readonly RefusedOrder[],
  moreText: (more: number) => string,
): string {
  const others = refused.slice(0, SHOWN_REASONS).map(({ orderNumber, reason }) => `${orderNumber}: ${reason}`);
  const more = refused.length - others.length;
  return [done, ...others, ...(more > 0 ? [moreText(more)] : [])].join(" ");
}

type FieldValue = FormDataEntryValue | null;

/** Returns the view of the queue that orders were selected in. `list` is its query string. */
export const viewIn = (list: FieldValue): QueueListParams =>
  queueList.read(new URLSearchParams(typeof list === "string" ? list : ""));

/** Returns the address of the page of the queue that orders were selected on, with what is wrong with the selection. */
export const queueIn = (list: FieldValue, problem: SelectionProblem | null = null): string =>
  queueList.href(viewIn(list), { problem, isAllSelected: false });

/** Reads the selected ids. Several can be in one field, because a form has at most 200 fields. */
export const selectedIds = (values: readonly FormDataEntryValue[]): number[] =>
  values
    .flatMap((value) => (typeof value === "string" && value !== "" ? value.split(",") : []))
    .map((value) => readId(value));
