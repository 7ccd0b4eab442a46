import { formatDateTime } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

/** Asks a new user to prove that the e-mail address is theirs. `validFor` as words: "7 days". */
export const verifyEmailMail = (data: { name: string; url: string; validFor: string }): ComposedMail =>
  composeMail({
    subject: "Please confirm your e-mail address",
    greeting: data.name,
    paragraphs: [
      "Thank you for registering. Please confirm that this e-mail address is yours.",
      "You can order in the meantime, but we can only approve an order once your address is confirmed.",
    ],
    action: { label: "Confirm e-mail address", url: data.url },
    after: [
      `The link can be used once and is valid for ${data.validFor}. You can ask for a new one after logging in.`,
      "If you did not register with us, you can ignore this message.",
    ],
  });

/** Asks a user who changed the address to prove that the new one is theirs. */
export const verifyNewEmailMail = (data: { name: string; url: string; validFor: string }): ComposedMail =>
  composeMail({
    subject: "Please confirm your new e-mail address",
    greeting: data.name,
    paragraphs: [
      "The e-mail address of an account was changed to this one. Please confirm that it is yours.",
      "You can order in the meantime, but we can only approve an order once your address is confirmed.",
    ],
    action: { label: "Confirm e-mail address", url: data.url },
    after: [
      `The link can be used once and is valid for ${data.validFor}. You can ask for a new one after logging in.`,
      "If you know nothing of this account, you can ignore this message.",
    ],
  });

/** Tells the old address that the account has another one now. */
export const emailChangedMail = (data: { name: string; email: string; at: Date }): ComposedMail =>
  composeMail({
    subject: "Your e-mail address was changed",
    greeting: data.name,
    paragraphs: [
      `The e-mail address of your account was changed to ${data.email} on ${formatDateTime(data.at.toISOString())} UTC. From now on, messages go there.`,
      "If this was not you, please contact us at once.",
    ],
  });

/** Asks a user with several accounts to prove the e-mail address before they are merged; says what the link allows. */
export const verifyForMergeMail = (data: {
  name: string;
  url: string;
  validFor: string;
  username: string;
}): ComposedMail =>
  composeMail({
    subject: "Please confirm your e-mail address",
    greeting: data.name,
    paragraphs: [
      `Several accounts have this e-mail address. Whoever is logged in as ${data.username} asks to merge them into that account.`,
      "Please confirm only if this is you: everything that the other accounts own will then belong to it.",
    ],
    action: { label: "Confirm e-mail address", url: data.url },
    after: [
      `The link can be used once and is valid for ${data.validFor}. You can ask for a new one after logging in.`,
      "If this is not you, please do nothing and tell us.",
    ],
  });

/** Tells the mailbox of several accounts that they are one now. */
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
      `Your accounts ${data.usernames.join(", ")} were merged into the account ${data.username}, with everything that they owned.`,
      `Log in with your e-mail address and the password of ${data.username}; the other passwords are no longer valid.`,
      "If this was not you, please reset your password and contact us at once.",
    ],
    action: { label: "Reset your password", url: data.url },
  });
