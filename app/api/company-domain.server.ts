import { z } from "zod";
import { METHOD_NAMES } from "~/domain/companies/domains/challenge";
import { DOMAIN_STATES, type DomainView } from "~/domain/companies/domains/domain-view.server";
import { toWireTimestamp, wireTimestamp } from "./wire";

const METHODS = Object.keys(METHOD_NAMES);

/** A domain or mailbox of a company in an answer. */
export const companyDomain = z.object({
  id: z.number().int(),
  name: z.string().describe("In ASCII: international domains have their `xn--` form"),
  state: z
    .enum(DOMAIN_STATES)
    .describe(
      "`Waiting`: its challenge is open. `Expired`: the challenge or the confirmation is too old. `Ended`: the company, another company, staff or the nightly check ended it",
    ),
  method: z
    .string()
    .openapi({ enum: ["", ...METHODS] })
    .describe("How it was confirmed. Empty for one that was not"),
  confirmedAt: wireTimestamp(),
  validUntil: wireTimestamp(),
  failedNights: z.number().int().describe("How many nightly checks in a row have failed"),
  problem: z.string().describe("Why the last check failed, as a sentence, or empty"),
  endedAt: wireTimestamp(),
  endedWhy: z.string(),
});

/** Converts a domain or mailbox for an answer. */
export const toCompanyDomain = (domain: DomainView): z.input<typeof companyDomain> => ({
  id: domain.id,
  name: domain.name,
  state: domain.state,
  method: domain.method ?? "",
  confirmedAt: toWireTimestamp(domain.confirmedAt),
  validUntil: toWireTimestamp(domain.validUntil),
  failedNights: domain.failedNights,
  problem: domain.problem ?? "",
  endedAt: toWireTimestamp(domain.endedAt),
  endedWhy: domain.endedWhy ?? "",
});
