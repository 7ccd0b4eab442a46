import { type ComposedMail, composeMail } from "../compose.server";

export interface InvitationMail {
  company: string;
  /** The name and address of the person who invites. */
  inviter: string;
  /** The name of the role, such as 'Purchaser'. */
  role: string;
  /** How long the link can be used, such as '7 days'. */
  validFor: string;
  url: string;
}

/** Invites a person to a company. `url` leads to a page that asks; opening it changes nothing. */
export const invitationMail = ({ company, inviter, role, validFor, url }: InvitationMail): ComposedMail =>
  composeMail({
    subject: `Invitation to ${company}`,
    paragraphs: [`${inviter} invites you to work for ${company} in this portal.`],
    facts: [
      ["Company", company],
      ["Your role", role],
    ],
    next: "Open the invitation and accept it. You need an account with this email address; the page helps you to make one.",
    action: { label: "Open the invitation", url },
    after: [
      `The link can be used once, within ${validFor}. Opening it changes nothing: the page asks first.`,
      "If you do not know this company, there is nothing to do.",
    ],
  });

export interface MembershipMail {
  name: string;
  company: string;
  /** What happened, as a sentence without its full stop, such as 'You are now a purchaser of Example Parts Ltd'. */
  what: string;
  /** Who did it. */
  by: string;
  /** A page that the person can open now. */
  action: { label: string; url: string };
}

/** Tells a person that somebody else has changed their membership of a company. */
export const membershipMail = ({ name, company, what, by, action }: MembershipMail): ComposedMail =>
  composeMail({
    subject: `Your membership of ${company}`,
    greeting: name,
    paragraphs: [`${what}.`],
    facts: [
      ["Company", company],
      ["By", by],
    ],
    next: "If you did not expect this, please ask an owner of the company.",
    action,
  });

export interface PausedClientsMail {
  name: string;
  /** The company of the clients; null for those of staff. */
  company: string | null;
  /** The name of the person who answered for the clients. */
  who: string;
  /** What has become of that person, such as 'is no longer an owner'. */
  what: string;
  /** The names of the clients. */
  clients: readonly string[];
  url: string;
}

/** Tells the owners of a company, or user administrators, that API clients are paused. `url` leads to their list. */
export const pausedClientsMail = ({ name, company, who, what, clients, url }: PausedClientsMail): ComposedMail =>
  composeMail({
    subject: `API clients of ${company ?? "staff"} paused`,
    greeting: name,
    paragraphs: [`${who}, who answered for these API clients, ${what}. Their programs cannot log in.`],
    facts: [...(company === null ? [] : [["Company", company] as const]), ["Paused", clients.join(", ")]],
    next: `The clients work again when ${company === null ? "a user administrator" : "an owner"} makes a new secret, and so answers for them. Delete those that nobody needs.`,
    action: { label: "Open the API clients", url },
  });

export interface AcmeStoppedMail {
  name: string;
  company: string;
  /** The name of the person who answered for the keys. */
  who: string;
  /** What has become of that person, such as 'is no longer an owner'. */
  what: string;
  /** The names of the keys. */
  keys: readonly string[];
  url: string;
}

/** Tells the owners of a company that ACME accounts can do nothing any more. `url` leads to the standing authorisations. */
export const acmeStoppedMail = ({ name, company, who, what, keys, url }: AcmeStoppedMail): ComposedMail =>
  composeMail({
    subject: `ACME accounts of ${company} stopped`,
    greeting: name,
    paragraphs: [
      `${who}, who answered for these ACME keys, ${what}. Programs with their accounts can neither order nor renew certificates. The certificates that they have stay valid.`,
    ],
    facts: [
      ["Company", company],
      ["Stopped", keys.join(", ")],
    ],
    next: "For each program that is still needed, make a key on the page “Automate with ACME” of the standing authorisation, and a new account with it. Revoke the old keys.",
    action: { label: "Open the standing authorisations", url },
  });

export interface OwnerMail {
  name: string;
  company: string;
  /** The name of the owner whose account is disabled. */
  who: string;
  /** The names of the API clients that are paused with it. */
  clients: readonly string[];
  /** The names of the ACME keys that stop with it. */
  acmeKeys: readonly string[];
  url: string;
}

/** Returns the names of API clients and ACME keys as facts. */
const programs = (label: { clients: string; keys: string }, { clients, acmeKeys }: OwnerMail) => [
  ...(clients.length > 0 ? [[label.clients, clients.join(", ")] as const] : []),
  ...(acmeKeys.length > 0 ? [[label.keys, acmeKeys.join(", ")] as const] : []),
];

/** Tells the other owners of a company that the account of an owner is disabled. `url` leads to the company. */
export const ownerDisabledMail = (given: OwnerMail): ComposedMail => {
  const { name, company, who, clients, acmeKeys, url } = given;
  return composeMail({
    subject: `The account of an owner of ${company} is disabled`,
    greeting: name,
    paragraphs: [
      `An administrator of the portal has disabled the account of ${who}, who is an owner of ${company}. ${who} cannot log in any more. What ${who} ordered stays with the company, and the messages about it go to an owner.`,
      ...(clients.length > 0
        ? [`The API clients below are paused, because ${who} answered for them. Their programs cannot log in.`]
        : []),
      ...(acmeKeys.length > 0
        ? [
            `The ACME keys below have stopped with their accounts, because ${who} answered for them. Programs with these accounts can neither order nor renew certificates.`,
          ]
        : []),
    ],
    facts: [["Company", company], ...programs({ clients: "Paused", keys: "Stopped" }, given)],
    next: [
      ...(clients.length > 0 ? ["Make a new secret for each client that is still needed, and so answer for it."] : []),
      ...(acmeKeys.length > 0 ? ["Make a new ACME key, and a new account with it, for each program."] : []),
      clients.length + acmeKeys.length > 0
        ? "See also that somebody else does what this owner did."
        : "Please see that somebody else does what this owner did.",
    ].join(" "),
    action: { label: "Open your company", url },
  });
};

/** Tells the other owners of a company that the account of an owner is enabled again. `url` leads to the company. */
export const ownerEnabledMail = (given: OwnerMail): ComposedMail => {
  const { name, company, who, clients, acmeKeys, url } = given;
  return composeMail({
    subject: `The account of an owner of ${company} can be used again`,
    greeting: name,
    paragraphs: [
      `An administrator of the portal has enabled the account of ${who}, who is an owner of ${company}. ${who} can log in again, and gets the messages about what ${who} ordered.`,
      ...(clients.length > 0 ? ["The API clients below work again. Their programs need no new secret."] : []),
      ...(acmeKeys.length > 0 ? ["The ACME keys below work again with their accounts."] : []),
    ],
    facts: [["Company", company], ...programs({ clients: "API clients", keys: "ACME keys" }, given)],
    next: "There is nothing to do. If you did not expect this, please contact us.",
    action: { label: "Open your company", url },
  });
};

export interface PreparedRenewalMail {
  name: string;
  /** The name of the company that owns the certificate. */
  company: string;
  commonName: string;
  /** The name of the colleague who prepared it. */
  by: string;
  url: string;
}

/** Tells members who place orders that a colleague has prepared a renewal. `url` leads to its last step. */
export const preparedRenewalMail = ({ name, company, commonName, by, url }: PreparedRenewalMail): ComposedMail =>
  composeMail({
    subject: `Renewal of ${commonName} prepared`,
    greeting: name,
    paragraphs: [`${by} has prepared the renewal of the certificate for ${commonName}. Nothing is ordered yet.`],
    facts: [
      ["Company", company],
      ["Prepared by", by],
    ],
    next: "Please check it and complete the order. If a colleague of yours has done so already, there is nothing to do.",
    action: { label: "Check the renewal", url },
    after: ["The renewal is kept for 7 days."],
  });
