import { controlRulesOfOthers } from "~/domain/certificates/request/confirmed-names.server";
import { whyNotCorrectCertificate } from "~/domain/certificates/succession/correction.policy";
import { orderCorrection } from "~/domain/certificates/succession/correction.service.server";
import { fixedDetailsRule } from "~/domain/certificates/succession/successor-csr.server";
import { scheduleSuperseded, supersedeAtOnce } from "~/domain/certificates/succession/superseding.server";
import { CORRECTION_DAYS } from "~/domain/orders/corrections/corrections.policy";
import { addDays } from "~/lib/dates";
import { type Facts, keptBy } from "./fact";

const ISSUED = new Date("2026-01-01T00:00:00Z");

const barrierAfter = (days: number) => {
  const certificate = { id: 1, status: "Issued", followers: [] } as const;
  const dates = { firstIssuedAt: ISSUED.toISOString(), expiryDate: addDays(ISSUED, 365).toISOString() };
  return whyNotCorrectCertificate({ ...certificate, ...dates }, addDays(ISSUED, days));
};

/** What customers correct by another certificate. */
export const correctionFacts = (): Facts => ({
  "correction.in-time": () => barrierAfter(CORRECTION_DAYS) === null && barrierAfter(CORRECTION_DAYS + 1) !== null,
  "correction.ordered": keptBy(orderCorrection, fixedDetailsRule, controlRulesOfOthers),
  "correction.superseded": keptBy(scheduleSuperseded, supersedeAtOnce),
});
