import { type DomainMethod } from "~db/tables";

/** How many days a challenge can be met. */
export const CHALLENGE_DAYS = 30;

/** How many years a confirmation counts. */
export const CONFIRMED_YEARS = 1;

/** The days before the end of a confirmation on which the owners of the company are reminded, earliest reminder first. */
export const DOMAIN_REMINDER_DAYS = [30, 7] as const;

/** How many nightly checks in a row must fail before a confirmation ends. */
export const FAILED_NIGHTS = 3;

/** How many domains and mailboxes a company may have, confirmed or not. */
export const MOST_NAMES = 500;

/** How many days after the end of its challenge a domain is deleted that was never confirmed. Until then, it can be given new values. */
export const FORGOTTEN_AFTER_DAYS = 60;

/** How many domains and mailboxes of a company may wait for their confirmation. */
export const WAITING_LIMIT = 20;

/** The mailboxes of a domain that its owner controls (RFC 2142, and the CA/Browser Forum's Baseline Requirements §3.2.2.4.4). */
export const DOMAIN_MAILBOXES = ["admin", "administrator", "webmaster", "hostmaster", "postmaster"] as const;

/** The ways in which control is shown, in the words of pages. */
export const METHOD_NAMES = {
  dns: "DNS record",
  http: "File on the web server",
  mail: "Email",
} as const satisfies Record<DomainMethod, string>;

export const isMailboxName = (name: string): boolean => name.includes("@");

/** Returns the addresses to which the link for a domain or mailbox may be sent. */
export const mailAddressesOf = (name: string): string[] =>
  isMailboxName(name) ? [name] : DOMAIN_MAILBOXES.map((local) => `${local}@${name}`);

/** The ids of the forms. */
export const ADD_DOMAIN_FORM = "add-domain";
export const DOMAIN_FORM = "domain";
export const END_DOMAIN_FORM = "end-domain";

/** The maximum length of a reason why staff end a confirmation, in characters. */
export const END_REASON_LIMIT = 500;
