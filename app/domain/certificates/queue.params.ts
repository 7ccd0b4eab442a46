import { listParams, type ListParams } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The queue has one order: the oldest first. */
const base = listParams(["requestedAt"], { key: "requestedAt", direction: "asc" });

/** Reads the queue's place from a URL; never fails. */
export const readQueueParams = base.read;

/** The queue's URL at this place. */
export function queuePlace(params: ListParams<"requestedAt">): string {
  const query = base.write(params).toString();
  return query ? `${paths.certificateQueue}?${query}` : paths.certificateQueue;
}
