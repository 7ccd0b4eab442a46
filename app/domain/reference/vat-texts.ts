import { type VatState } from "./vat.service.server";

/** What is known about a VAT number in words: what a badge says, and the rest of the sentence. */
export const VAT_TEXTS: Readonly<Record<VatState, readonly [badge: string, rest: string]>> = {
  confirmed: ["Confirmed", " by the VAT service"],
  unanswered: ["Not checked", ": the VAT service did not answer"],
  "no-service": ["Not checked", ": no VAT service is configured for it"],
  unasked: ["Not checked", " yet"],
  "not-due": ["No check due", " in this country"],
};
