/** The questions before the decisions about an order, by intent. */
export const QUEUE_QUESTIONS: Record<
  string,
  { title: string; question: string; confirmLabel: string; variant?: "primary" }
> = {
  approve: {
    title: "Approve Order",
    question: "Are you sure you wish to approve this order and issue its certificate?",
    confirmLabel: "Approve and Issue",
    variant: "primary",
  },
  reject: {
    title: "Reject Order",
    question: "Are you sure you wish to reject this order? This process cannot be reversed.",
    confirmLabel: "Reject",
  },
  cancel: {
    title: "Cancel Order",
    question: "Are you sure you wish to cancel this order? This process cannot be reversed.",
    confirmLabel: "Cancel Order",
  },
  undo: {
    title: "Undo Approval",
    question: "Are you sure you wish to undo the approval of this order?",
    confirmLabel: "Undo Approval",
  },
};

/** The texts while no decision waits for an answer. */
export const NO_QUESTION = { title: "", question: "", confirmLabel: "" };
