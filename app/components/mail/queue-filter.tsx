import { mailQueue, QUEUE_STATES, type QueueParams } from "~/domain/mail/mail-queue-list";
import { FilterLinks } from "../lists/filter-links";

/** Links that show only the messages in one state. */
export function QueueFilter({ params }: { params: QueueParams }) {
  const choices = [...QUEUE_STATES, null].map((state) => ({
    label: state?.toLowerCase() ?? "all",
    to: mailQueue(params, { state, page: 1 }),
    isCurrent: params.state === state,
  }));
  return <FilterLinks label="State of the messages" caption="State:" choices={choices} />;
}
