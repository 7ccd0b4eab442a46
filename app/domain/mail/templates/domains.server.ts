import { formatDate } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

export interface DomainChallengeMail {
  company: string;
  /** The domain or mailbox. */
  domain: string;
  /** The name and address of the person who asks. */
  by: string;
  /** How long the link can be used, such as '30 days'. */
  validFor: string;
  url: string;
}

/** Asks whoever reads a mailbox to confirm the domain or mailbox of a company. `url` leads to a page that asks; opening it changes nothing. */
export const domainChallengeMail = ({ company, domain, by, validFor, url }: DomainChallengeMail): ComposedMail =>
  composeMail({
    subject: "Please confirm a domain or mailbox",
    paragraphs: [
      "A company wants to order certificates that name the domain or mailbox below. It says that you look after it.",
      "The text below was typed in the portal; we have not checked it.",
    ],
    facts: [
      [domain.includes("@") ? "Mailbox" : "Domain", domain],
      ["Company", company],
      ["Asked for by", by],
    ],
    next: "Confirm it only if the company may use the name. If you do not know this company, ignore this message.",
    action: { label: "Review the request", url },
    after: [`The link can be used once, within ${validFor}. Opening it changes nothing: the page asks first.`],
  });

interface DomainMail {
  /** The first name of the owner. */
  name: string;
  company: string;
  /** The domain or mailbox. */
  domain: string;
  /** The page of the company's domains. */
  url: string;
}

const aboutDomain = ({ company, domain }: DomainMail): [string, string][] => [
  ["Company", company],
  [domain.includes("@") ? "Mailbox" : "Domain", domain],
];

const openDomains = ({ url }: DomainMail) => ({ label: "Open the domains", url });

/** Tells the owners of a company that it has confirmed what another company had confirmed before. */
export const domainMovedMail = (data: DomainMail): ComposedMail =>
  composeMail({
    subject: `You have confirmed ${data.domain}, which another company had confirmed before`,
    greeting: data.name,
    paragraphs: [
      `${data.company} has confirmed ${data.domain}. Another company had confirmed it before; that confirmation has ended.`,
    ],
    facts: aboutDomain(data),
    next: "If you expected that, there is nothing to do. If not, for example because the other company belongs to you, please contact us.",
    action: openDomains(data),
  });

export interface DomainFailingMail extends DomainMail {
  /** What the nightly check found, as a sentence. */
  problem: string;
  /** How many failed nights in a row end the confirmation. */
  nights: number;
}

/** Tells the owners of a company that the nightly check did not find the record or file of a confirmed domain. */
export const domainFailingMail = (data: DomainFailingMail): ComposedMail =>
  composeMail({
    subject: `${data.domain} could not be confirmed again`,
    greeting: data.name,
    paragraphs: [`The nightly check did not find what confirmed ${data.domain}. ${data.problem}`],
    facts: aboutDomain(data),
    next: `Please put the record or file back. After ${data.nights} failed nights in a row, the confirmation ends.`,
    action: openDomains(data),
  });

export interface DomainEndedMail extends DomainMail {
  /** Why, as a sentence. */
  why: string;
}

/** Tells the owners of a company that a confirmation has ended. */
export const domainEndedMail = (data: DomainEndedMail): ComposedMail =>
  composeMail({
    subject: `The confirmation of ${data.domain} has ended`,
    greeting: data.name,
    paragraphs: [`${data.domain} is not a confirmed name of ${data.company} any more. ${data.why}`],
    facts: aboutDomain(data),
    next: "Certificates that were issued stay valid. For new ones, confirm the name again.",
    action: openDomains(data),
  });

export interface DomainReminderMail extends DomainMail {
  /** An ISO 8601 timestamp. */
  validUntil: string;
  daysLeft: number;
}

/** Reminds the owners of a company that a confirmation ends soon. */
export const domainReminderMail = (data: DomainReminderMail): ComposedMail =>
  composeMail({
    subject: `The confirmation of ${data.domain} ends in ${data.daysLeft} ${data.daysLeft === 1 ? "day" : "days"}`,
    greeting: data.name,
    paragraphs: [`Domains and mailboxes are confirmed once a year.`],
    facts: [...aboutDomain(data), ["Confirmed until", formatDate(data.validUntil)]],
    next: `Please confirm ${data.domain} again in time.`,
    action: openDomains(data),
  });
