import { DAY } from "~/lib/dates";

/**
 * How long an OCSP answer is valid, unless its certificate is to be revoked or its responder ends before, and when it is made anew.
 * As lists: a delta list is valid for a day and made anew after an hour (CAL-03).
 */
export const ANSWER_LIFE_MS = DAY;
export const ANSWER_RENEWED_AFTER_MS = DAY / 24;
