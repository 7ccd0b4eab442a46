/** How many certificates are renewed with one form, and how many the page lists. */
export const MOST_RENEWALS = 20;
export const MOST_RENEWALS_LISTED = 50;

export const RENEWALS_FORM = "renewals";

/** What the form says when it has neither a text nor a file. */
export const NO_CSRS = "No certificate has a CSR yet. Paste the CSRs or choose their files.";

/** What a certificate of the form has: a CSR that fits it, one that does not, or none. */
export type RenewalRowState = "matched" | "wrong" | "needs";

export const RENEWAL_ROW_WORDS: Record<RenewalRowState, string> = {
  matched: "Matched",
  wrong: "Wrong CSR",
  needs: "Needs a CSR",
};
