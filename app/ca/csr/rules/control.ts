import { baselineRequirements, type RequestRules } from "./rule";

/** Rules about names that a company has to show to be its own. The portal can mark the others, refuse them, or leave them to staff. */
export const CONTROL_RULES = {
  "domain-not-confirmed": {
    title: "Confirmed domains and mailboxes",
    requirement:
      "Each DNS name, URI and email address, also in the common name, is below a domain, or is a mailbox, that the company has confirmed in the portal. A domain that was confirmed by a file covers only the host with its name.",
    advice: "Confirm the domain or mailbox in the portal (Your company, Domains), or create the CSR again without it.",
    section: "3.2.2",
    standard: baselineRequirements("3.2.2.4"),
  },
  "address-not-confirmed": {
    title: "Unconfirmed IP addresses",
    requirement:
      "No IP address is named where names have to be confirmed, because nobody can confirm one in the portal.",
    advice: "Create the CSR again with the DNS name of the host.",
    section: "3.2.2",
    standard: baselineRequirements("3.2.2.5"),
  },
} satisfies RequestRules;
