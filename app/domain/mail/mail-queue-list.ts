import { listParams, type ListParams } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The list's columns that can be sorted. */
export type QueueSort = "recipient" | "since" | "tries";

export const QUEUE_STATES = ["Waiting", "Held", "Failing", "Rejected"] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

export interface QueueParams extends ListParams<QueueSort> {
  /** Only messages in this state. */
  state: QueueState | null;
}

const base = listParams(["recipient", "since", "tries"], { key: "since", direction: "desc" });

/** Reads the list's place from a URL; never fails. */
export const readQueueParams = (query: URLSearchParams): QueueParams => ({
  ...base.read(query),
  state: QUEUE_STATES.find((state) => state.toLowerCase() === query.get("state")) ?? null,
});

/** The list's place as a query; what is at its default is left out. */
export function queuePlace({ state, ...params }: QueueParams): URLSearchParams {
  const query = base.write(params);
  if (state !== null) query.set("state", state.toLowerCase());
  return query;
}

/** The list at this place. */
export function mailQueue(params: QueueParams, change: Partial<QueueParams> = {}): string {
  const query = queuePlace({ ...params, ...change }).toString();
  return query ? `${paths.mail}?${query}` : paths.mail;
}

/** The messages in this state, or to this address. */
export const mailQueueOf = (query: { state?: string; search?: string }): string =>
  mailQueue(readQueueParams(new URLSearchParams(query)));
