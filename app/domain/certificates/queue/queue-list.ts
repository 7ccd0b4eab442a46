import { listParams, type ListParams } from "~/lib/list-params";
import { paths } from "~/lib/paths";

export interface QueueParams extends ListParams<"requestedAt"> {
  /** Only orders of which everything is checked: only approval is missing. */
  isReady: boolean;
}

/** The queue has one order: the oldest first. */
const base = listParams(["requestedAt"], { key: "requestedAt", direction: "asc" });

const READY = "yes";

/** Reads the queue's place from a URL; never fails. */
export const readQueueParams = (query: URLSearchParams): QueueParams => ({
  ...base.read(query),
  isReady: query.get("ready") === READY,
});

/** What of the place a new search keeps. */
export const keptByQueueSearch = ({ isReady }: QueueParams) => ({ ready: isReady ? READY : undefined });

/** The queue's URL at this place. */
export function queuePlace(params: QueueParams): string {
  const query = base.write(params);
  if (params.isReady) query.set("ready", READY);
  return query.size > 0 ? `${paths.certificateQueue}?${query.toString()}` : paths.certificateQueue;
}
