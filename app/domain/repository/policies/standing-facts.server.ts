import { askForStanding, endOwnStanding } from "~/domain/certificates/standing/asking.service.server";
import {
  approveStanding,
  checkStanding,
  endStandingForStaff,
} from "~/domain/certificates/standing/decisions.service.server";
import { issueWithin } from "~/domain/certificates/standing/issuing.service.server";
import { judgeUnder } from "~/domain/certificates/standing/judging.server";
import { placeUnder } from "~/domain/certificates/standing/ordering.service.server";
import { type Facts, keptBy } from "./fact";

/** What companies may order without a decision of staff about each order. */
export const standingFacts = (): Facts => ({
  "standing.asked": keptBy(askForStanding),
  "standing.approved": keptBy(checkStanding, approveStanding),
  "standing.within": keptBy(placeUnder, judgeUnder, issueWithin),
  "standing.ended": keptBy(endOwnStanding, endStandingForStaff),
});
