/** Every kind of message that the portal sends. The kind is the first part of a message's key in the queue. */
export const MAIL_KINDS = {
  "verify-email": { title: "Confirm email address", about: "To a new user, or when the link is asked for again." },
  "change-email": {
    title: "Confirm new email address",
    about: "To the address that is to take the place of another.",
  },
  "email-change": { title: "Email address to be changed", about: "To the address that is to be replaced." },
  "email-changed": { title: "Email address changed", about: "To the address that was replaced." },
  "reset-code": { title: "Password reset code", about: "To whoever asks to reset a password, or is to choose one." },
  "reset-refused": {
    title: "No password reset code",
    about: "To whoever asks to reset the password of an account that an administrator has locked.",
  },
  "account-locked": {
    title: "Account locked",
    about: "To the user, when wrong passwords or an administrator have locked the account.",
  },
  "account-disabled": {
    title: "Account disabled",
    about: "To the user, when an administrator has disabled the account.",
  },
  "account-enabled": {
    title: "Account enabled",
    about: "To the user, when an administrator has enabled a disabled account.",
  },
  "staff-locked": {
    title: "Staff account locked",
    about: "To all other user administrators, when the account of a member of staff is locked.",
  },
  "new-login": {
    title: "New login",
    about:
      "To the user, at a login in a browser, or by a program from a network, that the account has not used before.",
  },
  "security-alert": {
    title: "Security alert",
    about:
      "To user administrators and auditors, or to the address in the configuration, about events that may be an attack.",
  },
  "operations-alert": {
    title: "Alert",
    about:
      "To operators, or to administrators when there are none, when something is wrong with the portal itself, and when it has ended.",
  },
  "second-needed": {
    title: "Second user administrator needed",
    about: "To all other user administrators, when one asks for what only two of them decide together.",
  },
  "second-factor": {
    title: "Second factor",
    about: "To the user, when a second factor is added, removed or reset, and when recovery codes are made or used.",
  },
  "password-changed": { title: "Password changed", about: "To the user, whoever changed the password." },
  "company-invitation": {
    title: "Invitation to a company",
    about: "To an address that an owner of a company invites.",
  },
  "company-membership": {
    title: "Membership of a company",
    about: "To a member, when an owner changes the role or removes the member.",
  },
  "clients-paused": {
    title: "API clients paused",
    about:
      "To the owners of a company, or to user administrators, when the person who answered for an API client has left, is locked, or has lost the role or right for it.",
  },
  "acme-stopped": {
    title: "ACME accounts stopped",
    about:
      "To the owners of a company, when the person who answered for an ACME key has left, is locked, or is no longer an owner.",
  },
  "owner-disabled": {
    title: "Account of an owner disabled",
    about: "To the other owners of a company, when an administrator has disabled the account of an owner.",
  },
  "owner-enabled": {
    title: "Account of an owner enabled",
    about: "To the other owners of a company, when an administrator has enabled the disabled account of an owner.",
  },
  "renewal-prepared": {
    title: "Renewal prepared",
    about: "To the owners and purchasers of a company, when a colleague has prepared a renewal.",
  },
  "domain-challenge": {
    title: "Confirm a domain or mailbox",
    about: "To a mailbox that an owner of a company names, or to a usual mailbox of the domain.",
  },
  "webhook-paused": {
    title: "Webhook paused",
    about: "To the owners of a company, when the portal pauses a webhook to which nothing can be delivered.",
  },
  "domain-moved": {
    title: "Domain confirmed by another company",
    about: "To the owners of a company that has confirmed a domain or mailbox which another company had confirmed.",
  },
  "domain-failing": {
    title: "Domain not found at the nightly check",
    about: "To the owners of a company, when the record or file of a confirmed domain is missing for the first night.",
  },
  "domain-ended": {
    title: "Confirmation of a domain ended",
    about: "To the owners of a company, unless they ended it themselves.",
  },
  "domain-reminder": {
    title: "Confirmation of a domain ends soon",
    about: "To the owners of a company, 30 and 7 days before the end.",
  },
  "standing-approved": {
    title: "Standing authorisation in force",
    about: "To the owners of a company, when staff have approved its standing authorisation.",
  },
  "standing-ended": {
    title: "Standing authorisation ended",
    about: "To the owners of a company, whoever ended its standing authorisation or did not approve it.",
  },
  "standing-reminder": {
    title: "Standing authorisation ends soon",
    about: "To the owners of a company, 30 and 7 days before the end.",
  },
  "accounts-merged": { title: "Accounts merged", about: "To the mailbox of accounts that have become one." },
  "erasure-requested": {
    title: "Erasure requested",
    about: "To all user administrators, when a person asks for the erasure of their data.",
  },
  "erasure-withdrawn": {
    title: "Request for erasure withdrawn",
    about: "To the user administrator who asked a second one for the erasure, when the person withdraws the request.",
  },
  "data-erased": { title: "Data erased", about: "To the address of a person whose data was erased." },
  "order-confirmation": { title: "Order confirmation", about: "To the customer, with the order." },
  "authorisation-request": { title: "Request to authorise", about: "To the authentication contact, with the order." },
  "contact-stopped": {
    title: "Contact wants no messages",
    about: "To the customer, when the contact who was asked to authorise an order wants no more messages.",
  },
  "certificate-issued": {
    title: "Certificate issued",
    about: "To the customer, with download and install instructions.",
  },
  "correction-ordered": {
    title: "Correction ordered",
    about: "To the customer, when a certificate with another host or usage is ordered to correct one.",
  },
  "certificate-revoked": { title: "Certificate revoked", about: "To the customer, once it is on the CRL." },
  "revocation-scheduled": {
    title: "Revocation scheduled",
    about: "To the customer, when a certificate is to be revoked later, and when that is brought forward.",
  },
  "issuer-revoked": {
    title: "Issuing CA revoked",
    about: "To the customer of each valid certificate of an issuing CA whose key is compromised.",
  },
  "partner-certificate": {
    title: "Certificate of a partner",
    about: "To a partner whom a company names, when it publishes a certificate to its partners.",
  },
  "partner-answer": {
    title: "Answer of a partner",
    about: "To the customer, when a partner has a question about a certificate or says that it is not for them.",
  },
  "partners-published": {
    title: "Renewal published to partners",
    about: "To the customer, when a renewed certificate was published to its partners by itself, or could not be.",
  },
  "partners-ready": {
    title: "All partners ready",
    about: "To the customer, when all partners have confirmed that they have imported a certificate.",
  },
  "expiry-reminder": { title: "Expiry reminder", about: "90, 60, 30, 14, 7 and 1 days before a certificate ends." },
  "order-rejected": { title: "Order rejected", about: "To the customer, with the reason." },
  "order-cancelled": {
    title: "Order cancelled",
    about: "To the customer who ordered a certificate, whoever cancelled it.",
  },
  "order-corrected": {
    title: "Order corrected",
    about: "To the customer who ordered, whoever of the company corrected the order.",
  },
  invoice: { title: "Invoice", about: "To the customer and the invoice address, with the PDF." },
  "codes-available": { title: "ID codes available", about: "To the customer, when the payment is recorded." },
  "sales-order-cancelled": {
    title: "Sales order cancelled",
    about: "To the customer: what becomes of codes and money, and the reason.",
  },
  "payment-withdrawn": {
    title: "Payment taken back",
    about: "To the customer, when staff record that an order is not paid any more.",
  },
  "key-blocked": { title: "Key blocked", about: "To the owner of a key that shares a prime factor with another one." },
  "key-reported": {
    title: "Key reported as compromised",
    about: "To the owner of an open order or an ended certificate, when somebody proved to have its private key.",
  },
  "key-report": {
    title: "Report about keys",
    about: "To every administrator, when something is wrong with stored keys.",
  },
  "entity-changed": {
    title: "Certificates of an entity changed",
    about:
      "To whoever follows an entity of the register, when a certificate is published there, renewed, revoked or ends its publication.",
  },
  "code-ended": {
    title: "ID code ended, with certificates",
    about: "To the customer, when a code is cancelled or expires and certificates that can be used carry its OFTP ID.",
  },
  "code-maintenance": { title: "Maintenance of ID codes", about: "To owners of codes, from 1 January." },
} as const satisfies Record<string, { title: string; about: string }>;

export type MailKind = keyof typeof MAIL_KINDS;

/**
 * Messages that are sent whoever reads the address. They confirm the address, tell a confirmed address that no account uses it any more,
 * or that its account was erased, alert staff whose address is confirmed, or invite somebody or ask
 * a mailbox for a person whose address is confirmed.
 */
export type DirectMailKind = Extract<
  MailKind,
  | "verify-email"
  | "change-email"
  | "reset-code"
  | "email-changed"
  | "security-alert"
  | "operations-alert"
  | "company-invitation"
  | "domain-challenge"
  | "partner-certificate"
  | "data-erased"
>;

/**
 * Messages that inform the owner of what somebody else may be doing with the account. They have a daily limit of their own, which no other
 * messages use up.
 */
export const SECURITY_KINDS = [
  "account-locked",
  "account-disabled",
  "account-enabled",
  "staff-locked",
  "new-login",
  "second-needed",
  "second-factor",
  "password-changed",
  "email-change",
  "reset-refused",
  "accounts-merged",
] as const satisfies MailKind[];

export const isMailKind = (text: string | undefined): text is MailKind =>
  text !== undefined && Object.hasOwn(MAIL_KINDS, text);

/** Returns the kind of a queued message by its key, or null for a kind that this version does not know. */
export function kindOf(dedupeKey: string): MailKind | null {
  const [kind] = dedupeKey.split(":");
  return isMailKind(kind) ? kind : null;
}
