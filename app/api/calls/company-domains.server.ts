import { z } from "zod";
import {
  CHALLENGE_DAYS,
  CONFIRMED_YEARS,
  FAILED_NIGHTS,
  METHOD_NAMES,
  WAITING_LIMIT,
} from "~/domain/companies/domains/challenge";
import { type CheckedMethod } from "~/domain/companies/domains/check.server";
import { addDomainSchema, domainMailSchema, endDomainSchema } from "~/domain/companies/domains/domains.schema";
import {
  addDomain,
  checkDomain,
  type CompanyDomainPage,
  endDomain,
  getDomainFor,
  listDomainsFor,
  removeDomain,
  renewChallenge,
} from "~/domain/companies/domains/domains.service.server";
import { sendDomainMail } from "~/domain/companies/domains/mailed-link.service.server";
import { messages } from "~/lib/messages";
import { call, group } from "../call";
import { check } from "../check";
import { companyDomain, toCompanyDomain } from "../company-domain.server";
import { id, nothing, queryId, textBy, toWireTimestamp, wireTimestamp } from "../wire";

const withChallenge = companyDomain.extend({
  challengeEndsAt: wireTimestamp().describe("Until when these values can be used"),
  isChallengeMet: z.boolean().describe("The values have confirmed it already. To confirm it again, ask for new ones"),
  recordName: z.string().describe("The name of the DNS record of the type TXT. Empty for a mailbox"),
  recordValue: z.string(),
  fileUrl: z.string().describe("The address of the file. Empty for a mailbox"),
  fileContent: z.string(),
  addresses: z.array(z.string()).describe("The addresses to which the link may be sent"),
  mailedTo: z.string().describe("The address that has the latest link, or empty"),
});

function toChallenge({ challenge, ...domain }: CompanyDomainPage): z.input<typeof withChallenge> {
  const { endsAt, isMet, record, file, addresses, mailedTo } = challenge;
  return {
    ...toCompanyDomain(domain),
    challengeEndsAt: toWireTimestamp(endsAt),
    isChallengeMet: isMet,
    recordName: record?.name ?? "",
    recordValue: record?.value ?? "",
    fileUrl: file?.url ?? "",
    fileContent: file?.content ?? "",
    addresses,
    mailedTo: mailedTo ?? "",
  };
}

const CHECKED = (Object.keys(METHOD_NAMES) as (keyof typeof METHOD_NAMES)[]).filter(
  (method): method is CheckedMethod => method !== "mail",
) as [CheckedMethod, ...CheckedMethod[]];

const NOT_FOUND = { 404: "The company has no such domain or mailbox" };

const one = z.object({ domainId: id() }).strict();

export const companyDomainCalls = group("Companies", [
  call({
    path: "Companies/GetDomains",
    method: "GET",
    who: "see-company",
    summary: "The domains and mailboxes that the company confirms or has confirmed, by name",
    notes: "Those that were removed or have ended are left out.",
    input: nothing,
    output: z.array(companyDomain),
    handle: async (_, { user }) => (await listDomainsFor(user)).map(toCompanyDomain),
  }),
  call({
    path: "Companies/GetDomain",
    method: "GET",
    who: "manage-company",
    summary: "One domain or mailbox of the company, with the values that confirm it",
    refuses: NOT_FOUND,
    input: z.object({ domainId: queryId() }).strict(),
    output: withChallenge,
    handle: async ({ domainId }, { user }) => toChallenge(await getDomainFor(user, domainId)),
  }),
  call({
    path: "Companies/AddDomain",
    method: "POST",
    who: "manage-company",
    summary: "Adds a domain or mailbox to the company. The answer has the values that confirm it",
    notes: `A domain covers everything below it, unless a file has confirmed it: a file confirms its host only. Public suffixes and domains of mail providers are refused. At most ${WAITING_LIMIT} can wait for their confirmation.`,
    input: z
      .object({
        domain: textBy(addDomainSchema.shape.domain, {
          description: "A domain with or without international letters, such as `example.com`, or a mailbox",
        }),
      })
      .strict(),
    output: withChallenge,
    handle: async (input, { user }) => {
      const { domain } = check(addDomainSchema, input);
      return toChallenge(await getDomainFor(user, await addDomain(user, domain)));
    },
  }),
  call({
    path: "Companies/CheckDomain",
    method: "POST",
    who: "manage-company",
    summary: "Checks now whether a domain shows its value, and confirms it if so",
    notes: `The value must stay: after ${FAILED_NIGHTS} nightly checks in a row that do not find it, the confirmation ends. It counts for ${CONFIRMED_YEARS} year. When another company had confirmed the domain, that confirmation ends. A file, which shows the host only, ends no confirmation of a whole domain by another company.`,
    refuses: {
      ...NOT_FOUND,
      422: "The value was not found, or a file would end a confirmation of the whole domain. The message says which",
    },
    input: z
      .object({
        domainId: id(),
        method: z
          .enum(CHECKED, { message: messages.collection })
          .describe("`dns`: the DNS record. `http`: the file on the web server"),
        isHostEnough: z
          .boolean()
          .nullish()
          .describe(
            "`true`: a file may replace the company's confirmation of the whole domain by one of the host only",
          ),
      })
      .strict(),
    output: withChallenge,
    handle: async ({ domainId, method, isHostEnough }, { user }) => {
      await checkDomain(user, { id: domainId, method, isHostEnough: isHostEnough === true });
      return toChallenge(await getDomainFor(user, domainId));
    },
  }),
  call({
    path: "Companies/SendDomainMail",
    method: "POST",
    who: "manage-company",
    summary: "Sends a link that confirms a domain or mailbox",
    notes: "Whoever reads the mailbox confirms on the page behind the link. A new link replaces an earlier one.",
    refuses: NOT_FOUND,
    input: one.extend({
      address: textBy(domainMailSchema.shape.address, { description: "One of `addresses` of Companies/GetDomain" }),
    }),
    output: z.boolean(),
    handle: async ({ domainId, ...input }, { user }) => {
      await sendDomainMail(user, { id: domainId, ...check(domainMailSchema, input) });
      return true;
    },
  }),
  call({
    path: "Companies/RenewDomainChallenge",
    method: "POST",
    who: "manage-company",
    summary: "Gives a domain or mailbox new values",
    notes: `Needed to confirm it again, and when the values are older than ${CHALLENGE_DAYS} days. A confirmation stays until its end.`,
    refuses: NOT_FOUND,
    input: one,
    output: withChallenge,
    handle: async ({ domainId }, { user }) => {
      await renewChallenge(user, domainId);
      return toChallenge(await getDomainFor(user, domainId));
    },
  }),
  call({
    path: "Companies/RemoveDomain",
    method: "POST",
    who: "manage-company",
    summary: "Removes a domain or mailbox, and ends its confirmation",
    refuses: NOT_FOUND,
    input: one,
    output: z.boolean(),
    handle: async ({ domainId }, { user }) => {
      await removeDomain(user, domainId);
      return true;
    },
  }),
  call({
    path: "Companies/EndDomain",
    method: "POST",
    who: "end-domains",
    summary: "Ends the confirmation of a company's domain or mailbox",
    notes: "The owners of the company get a message with the reason.",
    refuses: { 404: "The company has confirmed no such domain or mailbox" },
    input: one.extend({ companyId: id(), reason: textBy(endDomainSchema.shape.reason) }),
    output: z.boolean(),
    handle: async ({ companyId, domainId, ...input }, { user }) => {
      await endDomain(user, { companyId, id: domainId, ...check(endDomainSchema, input) });
      return true;
    },
  }),
]);
