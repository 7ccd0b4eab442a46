import { MAIL_QUEUE_STATES, mailQueueList, type MailQueueListParams } from "~/domain/mail/mail-queue-list";
import { FilterLinks } from "../lists/filter-links";

/** Links that show only the messages in one state. */
export function MailStateFilter({ params }: { params: MailQueueListParams }) {
  const choices = [...MAIL_QUEUE_STATES, null].map((state) => ({
    label: state?.toLowerCase() ?? "all",
    to: mailQueueList.href(params, { state, page: 1 }),
    isCurrent: params.state === state,
  }));
  return <FilterLinks label="State of the messages" caption="State:" choices={choices} />;
}
