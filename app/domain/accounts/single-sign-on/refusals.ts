/** Why a login through the identity provider is refused: what the person reads, and what the security event says. */
export const SIGN_ON_REFUSALS = {
  off: {
    status: 404,
    text: "Single sign-on is not set up on this portal.",
    detail: "Single sign-on is off.",
  },
  unreachable: {
    status: 503,
    text: "The portal cannot reach the identity provider at the moment. Please try again in a few minutes.",
    detail: "The identity provider could not be reached, or its answer was not usable.",
  },
  state: {
    status: 400,
    text: "This answer does not belong to a login that was begun in this browser, or the login was finished or took more than ten minutes. Nothing was changed.",
    detail: "The state was missing, of another browser, used before or too old.",
  },
  denied: {
    status: 403,
    text: "The identity provider did not log you in: the login was cancelled or refused there.",
    detail: "Denied at the identity provider.",
  },
  code: {
    status: 400,
    text: "The identity provider did not accept the answer of your browser, which works once and for a short time only.",
    detail: "The code was wrong, used before or too old.",
  },
  issuer: {
    status: 400,
    text: "The answer came from another identity provider than the one that was asked.",
    detail: "The issuer was wrong.",
  },
  audience: {
    status: 400,
    text: "The answer of the identity provider was meant for another service.",
    detail: "The audience of the token was wrong.",
  },
  nonce: {
    status: 400,
    text: "The answer of the identity provider belongs to another login.",
    detail: "The nonce was wrong.",
  },
  expired: {
    status: 400,
    text: "The answer of the identity provider has expired.",
    detail: "The token had expired.",
  },
  token: {
    status: 400,
    text: "The answer of the identity provider is not valid.",
    detail: "The token was not valid.",
  },
  group: {
    status: 403,
    text: "None of your groups at the identity provider gives you a right of staff. Single sign-on is for staff: customers log in with email and password.",
    detail: "No group gives a right of staff.",
  },
  company: {
    status: 403,
    text: "Your account is a member of a customer company: the company has other members, or it has ordered something. Staff belong to no customer (four-eyes principle), so you get no right of staff. Log in with email and password and leave the company, or ask a user administrator.",
    detail: "A group gives a right of staff, but the account is a member of a customer company.",
  },
  email: {
    status: 403,
    text: "The identity provider does not say that your email address is confirmed, so no account can be found for you.",
    detail: "No confirmed email address in the token.",
  },
  customer: {
    status: 403,
    text: "Your email address belongs to an account without a right of staff. Single sign-on is for staff: please log in with email and password, or ask a user administrator for a right.",
    detail: "The email belongs to an account that is not one of staff.",
  },
  several: {
    status: 403,
    text: "Several accounts have your email address. Please merge them first: log in with email and password.",
    detail: "Several accounts share the email.",
  },
  unconfirmed: {
    status: 403,
    text: "The account with your email address has not confirmed it yet. Please confirm it first, or ask a user administrator.",
    detail: "The account has not confirmed its email address.",
  },
  merged: {
    status: 403,
    text: "The account with your email address was merged into another one. Please ask a user administrator.",
    detail: "The account was merged.",
  },
  taken: {
    status: 403,
    text: "Another account has your email address as its user name. Please ask a user administrator.",
    detail: "The email is the user name of another account.",
  },
  disabled: {
    status: 403,
    text: "This user account has been disabled. Please contact support to get this account re-enabled.",
    detail: "The account is disabled.",
  },
  locked: {
    status: 403,
    text: "This user account is locked. Please contact support.",
    detail: "The account is locked.",
  },
  person: {
    status: 403,
    text: "Somebody else logged in at the identity provider than the person who is logged in here. Nothing was confirmed.",
    detail: "The identity belongs to another account.",
  },
  stale: {
    status: 400,
    text: "The identity provider did not ask again who you are, so nothing was confirmed.",
    detail: "The login at the identity provider was too old.",
  },
} as const;

export type SignOnRefusal = keyof typeof SIGN_ON_REFUSALS;

/** A refusal with the account that it is about, as far as it is known. */
export class SignOnRefused extends Error {
  constructor(
    readonly reason: SignOnRefusal,
    readonly about: { userId?: number | null; email?: string | null } = {},
    cause?: unknown,
  ) {
    super(SIGN_ON_REFUSALS[reason].detail, { cause });
    this.name = "SignOnRefused";
  }
}
