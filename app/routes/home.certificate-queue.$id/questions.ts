/** The question before a decision about an order. */
export interface QueueQuestion {
  title: string;
  question: string;
  confirmLabel: string;
  variant?: "primary";
}

/** The questions by intent. They come with the answer of the server, because the page has no room for more script. */
export const QUEUE_QUESTIONS: Record<string, QueueQuestion> = {
  approve: {
    title: "Approve order",
    question: "Are you sure you wish to approve this order and issue its certificate?",
    confirmLabel: "Approve and issue",
    variant: "primary",
  },
  reject: {
    title: "Reject order",
    question: "Are you sure you wish to reject this order? This process cannot be reversed.",
    confirmLabel: "Reject",
  },
  cancel: {
    title: "Cancel order",
    question: "Are you sure you wish to cancel this order? This process cannot be reversed.",
    confirmLabel: "Cancel order",
  },
  undo: {
    title: "Undo approval",
    question: "Are you sure you wish to undo the approval of this order?",
    confirmLabel: "Undo approval",
  },
};
