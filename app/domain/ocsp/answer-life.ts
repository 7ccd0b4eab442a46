import { DAY } from "~/lib/dates";

/**
 * How long an OCSP answer is valid, in milliseconds, unless its certificate is scheduled for revocation or its responder ends earlier, and
 * after how long it is signed again. Both values are those of delta CRLs, which are valid for a day and renewed after an hour (CAL-03).
 */
export const ANSWER_LIFE_MS = DAY;
export const ANSWER_RENEWED_AFTER_MS = DAY / 24;
