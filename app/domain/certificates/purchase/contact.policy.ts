/** COD-05, COD-07, word for word. */
export const CONTACT_REFUSED =
  "Authentication Contact details do not meet Odette CA requirements. Please ensure that details satisfy the criteria listed above.";

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

/** A criterion that the portal can check by itself; staff check the others by a call. */
export type ContactCriterion = "other-person" | "company-email" | "own-name";

export interface ContactFailure {
  criterion: ContactCriterion;
  /** What does not meet it, in a sentence. */
  message: string;
}

/**
 * Returns the criteria that this e-mail address of an authentication contact does not meet (PUR-02), in the order of the
 * page: it belongs to somebody other than the one who orders, at a company's domain, in the person's own name.
 */
export function failedCriteria(email: string, rules: ContactRules): ContactFailure[] {
  const { mailbox, domain } = parts(email);
  const technical = parts(rules.technicalEmail);
  const isSamePerson = mailbox === technical.mailbox && domain === technical.domain;
  const isFreeMail = rules.freeMailDomains.some((entry) => isSubdomain(domain, entry.toLowerCase()));
  const isRole = rules.roleMailboxes.some((entry) => mailbox === entry.toLowerCase());
  const failures: (ContactFailure | false)[] = [
    isSamePerson && { criterion: "other-person", message: "This is your own e-mail address. Name somebody else." },
    isFreeMail && {
      criterion: "company-email",
      message: `${domain} is a free e-mail provider. Enter the contact's address at the organisation.`,
    },
    isRole && {
      criterion: "own-name",
      message: `${mailbox}@ is a shared mailbox. Enter the contact's own address.`,
    },
  ];
  return failures.filter((failure) => failure !== false);
}

/** Whether the two e-mails belong to different domains: allowed, but flagged to staff. */
export const hasOtherDomain = (email: string, technicalEmail: string): boolean =>
  parts(email).domain !== parts(technicalEmail).domain;
