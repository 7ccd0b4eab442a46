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
