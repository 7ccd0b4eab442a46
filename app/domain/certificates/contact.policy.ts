/** What is compared with an authentication contact's e-mail. */
export interface ContactRules {
  /** The e-mail of the one who orders. */
  technicalEmail: string;
  freeMailDomains: readonly string[];
  roleMailboxes: readonly string[];
}

function parts(email: string): { mailbox: string; domain: string } {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf("@");
  // anna+orders@ is Anna's mailbox (RFC 5233).
  const mailbox = lower.slice(0, at).replace(/\+.*$/, "");
  return { mailbox, domain: lower.slice(at + 1) };
}

const isSubdomain = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

/**
 * Whether this e-mail can be the authentication contact's (B §5; decisions §1): somebody other than the one who orders, at a
 * company's domain, in the person's own name.
 */
export function isAcceptableContactEmail(email: string, rules: ContactRules): boolean {
  const contact = parts(email);
  const technical = parts(rules.technicalEmail);
  const isSamePerson = contact.mailbox === technical.mailbox && contact.domain === technical.domain;
  const isFreeMail = rules.freeMailDomains.some((domain) => isSubdomain(contact.domain, domain.toLowerCase()));
  const isRole = rules.roleMailboxes.some((mailbox) => contact.mailbox === mailbox.toLowerCase());
  return !isSamePerson && !isFreeMail && !isRole;
}

/** Whether the two e-mails belong to different domains: allowed, but flagged to staff. */
export const hasOtherDomain = (email: string, technicalEmail: string): boolean =>
  parts(email).domain !== parts(technicalEmail).domain;
