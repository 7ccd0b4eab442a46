import { fourEyes } from "~/lib/four-eyes.server";
import { factsOfCertificates } from "./certificate-facts.server";
import { correctionFacts } from "./correction-facts.server";
import { domainFacts } from "./domain-facts.server";
import { type Facts } from "./fact";
import { factsOfPeople } from "./people-facts.server";
import { standingFacts } from "./standing-facts.server";

/**
 * Facts that are kept above the domain, in `app/http`, `server.ts` and the pages, or by the code that reads the facts. The tests of the
 * policies prove each of them, most with a request.
 */
export const PROVEN_FACTS = [
  "web.plain-http",
  "web.cookies",
  "web.forms",
  "web.content-policy",
  "web.no-scripts",
  "documents.fingerprint",
  "documents.recorded",
] as const;

/**
 * Returns every fact that the policies may name as the source of a sentence. Facts are worked out from the code that enforces them and from
 * the configuration: a fact does not hold any more when its rule is removed.
 */
export const policyFacts = (): Facts => ({
  ...factsOfCertificates(),
  ...domainFacts(),
  ...standingFacts(),
  ...correctionFacts(),
  ...factsOfPeople(fourEyes()),
  ...Object.fromEntries(PROVEN_FACTS.map((name) => [name, () => true])),
});
