/** The sentences of the practice statement about the four-eyes principle, for each mode. */
export const FOUR_EYES_WORDS = {
  "small-office": {
    replacementChecks: "A replacement free of charge (section 4.8) rests on those of the certificate that it replaces.",
    replacementApproval:
      "The checks of the first order count for it, so no second person approves it; an administrator cannot replace a certificate of their own.",
    fourEyes:
      "Four eyes see each order: whoever placed it, also in a customer’s name, can neither record its checks nor approve it; only a replacement free of charge (section 4.8) is one person’s decision.",
  },
  strict: {
    replacementChecks: "For a replacement free of charge (section 4.8) they are recorded again.",
    replacementApproval:
      "Others than the person who replaces it record its checks and approve it, as for an order; an administrator cannot replace a certificate of their own.",
    fourEyes:
      "Each order and each replacement (section 4.8) needs two people besides the one who placed it: whoever placed it, also in a customer’s name or with another account, and whoever belongs to the company that ordered, can neither record its checks nor approve it, and whoever recorded a check cannot approve it. Nobody grants the right to approve orders or to manage accounts without a second administrator of accounts.",
  },
} as const;
