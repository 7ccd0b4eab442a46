import { readId } from "~/lib/ids";
import { type SelectionProblem } from "./queue-fields";
import { queueList, type QueueListParams } from "./queue-list";

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
