import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { mixesScriptsInLabel } from "~/ca/csr/look-alikes.server";
import { dnsFormProblem } from "~/ca/names/name-form.server";
import { hostProblem } from "~/ca/names/name-policy.server";
import { suffixOf } from "~/ca/names/special-names.server";
import { isMailbox } from "~/ca/x509/host-name.server";
import { allowedNames } from "~/lib/allowed-names.server";
import { getConfig } from "~/lib/config.server";
import { isMailboxName } from "./challenge";
import { domainRefusal } from "./refusal.server";

const refusal = (message: string) => domainRefusal(message, "domain");

/** Returns a domain in ASCII and lower case. A domain with letters outside ASCII becomes its `xn--` form. */
function asciiOf(typed: string): string {
  const text = typed.toLowerCase();
  return /[^!-~]/.test(text) ? domainToASCII(text) || text : text;
}

/** Throws a PortalError when the domain has no valid form, or its look-alike letters could deceive. */
function requireForm(shown: string, domain: string): void {
  const problem = dnsFormProblem(domain);
  if (problem) throw refusal(`'${shown}' ${problem.text}.`);
  if (mixesScriptsInLabel(domain))
    throw refusal(`A part of '${shown}' mixes letters of different scripts that look alike.`);
  if (!domain.includes("."))
    throw refusal(`'${shown}' has one part only. A domain has at least two, such as example.com.`);
}

/** Throws a PortalError when no single organisation can own the domain. Public suffixes are refused even where the policy allows them. */
function requireOwnable(domain: string): void {
  const allowed = allowedNames().filter((name) => name !== "public-suffix");
  const problem = hostProblem(domain, { allowedNames: allowed });
  if (problem) throw refusal(`'${domain}' ${problem.text}.`);
}

/** Throws a PortalError for the domain of a mail provider, whose usual mailboxes anybody may get. */
function requireNoProvider(domain: string): void {
  const registrable = suffixOf(domain).domain ?? domain;
  if (getConfig().accounts.freeMailDomains.includes(registrable))
    throw refusal(
      `'${registrable}' belongs to a mail provider. You can confirm your own mailbox there, but not the domain.`,
    );
}

/**
 * Reads a domain or mailbox as it was typed.
 * @returns The domain in ASCII, or the mailbox, in lower case. Throws a PortalError for the field `domain` that names the rule.
 */
export function readClaim(typed: string): string {
  const text = typed.trim();
  if (isMailboxName(text)) {
    const [local = "", ...rest] = text.split("@");
    const domain = asciiOf(rest.join("@"));
    const mailbox = `${local.toLowerCase()}@${domain}`;
    if (!isMailbox(mailbox)) throw refusal(`'${text}' is not a valid mailbox.`);
    requireForm(domain, domain);
    requireOwnable(domain);
    return mailbox;
  }
  if (isIP(text) !== 0) throw refusal(`'${text}' is an IP address. Type the name of a domain or host.`);
  if (/[/:]/.test(text))
    throw refusal("Type the domain alone, such as example.com, without http://, a port or a path.");
  const domain = asciiOf(text);
  if (domain.startsWith("*.")) {
    const whole = readClaim(domain.slice(2));
    throw refusal(`Type ${whole} without the wildcard: a domain covers everything below it.`);
  }
  requireForm(text, domain);
  requireOwnable(domain);
  requireNoProvider(domain);
  return domain;
}
