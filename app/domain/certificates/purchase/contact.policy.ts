import { isSameMailbox, partsOfEmail } from "~/domain/accounts/same-person.policy";

/** The message of PUR-02, word for word. */
export const CONTACT_REFUSED =
  "Authentication Contact details do not meet Odette CA requirements. Please ensure that details satisfy the criteria listed above.";

/** The same for the step that completes the order, where no criteria are listed. */
export const CONTACT_REFUSED_AT_THE_END =
  "Authentication Contact details do not meet Odette CA requirements. Please change the authentication contact.";

/** What the email of an authentication contact is compared with. */
export interface ContactRules {
  /** The email of the user who orders. */
  technicalEmail: string;
  /** The colleagues who prepared what this user orders. */
  preparers: readonly { name: string; email: string }[];
  /** The emails of administrators who acted as one of them. Only the server knows them. */
  actingEmails: readonly string[];
  freeMailDomains: readonly string[];
  roleMailboxes: readonly string[];
}

const isSubdomain = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

/** A criterion that the portal can check by itself. Staff check the others with a phone call. */
export type ContactCriterion = "other-person" | "company-email" | "own-name";

export interface ContactFailure {
  criterion: ContactCriterion;
  /** A sentence that says what does not meet the criterion. */
  message: string;
}

/**
 * Returns the criteria that the email address of an authentication contact does not meet (PUR-02), in the order of the page. The address
 * must belong to somebody other than the user who orders, those who prepared the order and staff who acted as one of them, be at a
 * company's domain, and be in the person's own name.
 */
export function failedCriteria(email: string, rules: ContactRules): ContactFailure[] {
  const { mailbox, domain } = partsOfEmail(email);
  const isOrderer = isSameMailbox(email, rules.technicalEmail);
  const preparer = isOrderer ? undefined : rules.preparers.find((one) => isSameMailbox(email, one.email));
  const isFreeMail = rules.freeMailDomains.some((entry) => isSubdomain(domain, entry.toLowerCase()));
  const isRole = rules.roleMailboxes.some((entry) => mailbox === entry.toLowerCase());
  const failures: (ContactFailure | false)[] = [
    isOrderer && { criterion: "other-person", message: "This is your own email address. Name somebody else." },
    preparer !== undefined && {
      criterion: "other-person",
      message: `This is the email address of ${preparer.name}, who prepared this order. Name somebody else.`,
    },
    rules.actingEmails.some((acting) => isSameMailbox(email, acting)) && {
      criterion: "other-person",
      message: "This is the email address of a member of staff who acted for you or a colleague. Name somebody else.",
    },
    isFreeMail && {
      criterion: "company-email",
      message: `${domain} is a free email provider. Enter the contact's address at the organisation.`,
    },
    isRole && {
      criterion: "own-name",
      message: `${mailbox}@ is a shared mailbox. Enter the contact's own address.`,
    },
  ];
  return failures.filter((failure) => failure !== false);
}

/** Returns whether the two emails belong to different domains. This is allowed, but flagged to staff. */
export const hasOtherDomain = (email: string, technicalEmail: string): boolean =>
  partsOfEmail(email).domain !== partsOfEmail(technicalEmail).domain;
