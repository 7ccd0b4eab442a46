import { composeMail, type ComposedMail } from "../compose.server";

/** A link that confirms an email address. `validFor` is in words, such as "7 days". */
export interface EmailLink {
  url: string;
  validFor: string;
}

/**
 * Composes a message with such a link. It greets nobody by name, because the reader may be a stranger to the person who typed the name.
 *
 * `otherwise` says what to do for a reader who knows nothing of it.
 */
export const confirmationMail = (
  { url, validFor }: EmailLink,
  { subject, paragraphs, next, otherwise }: { subject?: string; paragraphs: string[]; next: string; otherwise: string },
): ComposedMail =>
  composeMail({
    subject: subject ?? "Please confirm your email address",
    paragraphs,
    next,
    action: { label: "Confirm email address", url },
    after: [
      `The link can be used once and is valid for ${validFor}. You can ask for a new one after logging in.`,
      otherwise,
    ],
  });

const MEANWHILE =
  "You can order in the meantime. Once your address is confirmed we can approve your orders, and write to the people whom you name in them.";

/** Asks a new user to confirm the email address. */
export const verifyEmailMail = (link: EmailLink): ComposedMail =>
  confirmationMail(link, {
    paragraphs: ["Thank you for registering.", MEANWHILE],
    next: "Please confirm that this email address is yours.",
    otherwise: "If you did not register with us, you can ignore this message.",
  });

/** Asks a user to confirm a new address. The former one was never confirmed. */
export const verifyNewEmailMail = (link: EmailLink): ComposedMail =>
  confirmationMail(link, {
    subject: "Please confirm your new email address",
    paragraphs: ["The email address of an account was changed to this one.", MEANWHILE],
    next: "Please confirm that this email address is yours.",
    otherwise: "If you know nothing of this account, you can ignore this message.",
  });

/** Asks a user with several accounts to confirm the email address before they are merged. Says what the link allows. */
export const verifyForMergeMail = ({ username, ...link }: EmailLink & { username: string }): ComposedMail =>
  confirmationMail(link, {
    paragraphs: [
      `Several accounts have this email address. Whoever is logged in as ${username} asks to merge them into that account.`,
    ],
    next: "Please confirm only if this is you: the account will then take the place of the other accounts in their companies, with everything that these own.",
    otherwise: "If this is not you, please do nothing and tell us.",
  });

/** Informs the owner of several accounts that they were merged. */
export const accountsMergedMail = (data: {
  name: string;
  username: string;
  usernames: readonly string[];
  url: string;
}): ComposedMail =>
  composeMail({
    subject: "Your accounts were merged",
    greeting: data.name,
    paragraphs: [
      `Your accounts ${data.usernames.join(", ")} were merged into the account ${data.username}, which takes their place in their companies.`,
      `Log in with your email address and the password of ${data.username}; the other passwords are no longer valid.`,
    ],
    next: "If this was you, there is nothing to do. If not, please reset your password and contact us at once.",
    action: { label: "Reset your password", url: data.url },
  });
