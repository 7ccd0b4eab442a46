import { formatDateTime } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

/** The reset code and the link that carries it. `validFor` as words: "60 minutes". */
export const resetCodeMail = (data: { name: string; code: string; url: string; validFor: string }): ComposedMail =>
  composeMail({
    subject: "Your password reset code",
    greeting: data.name,
    paragraphs: [
      "Somebody, probably you, asked to reset the password of your account. Follow the link, or enter the reset code on the page that is still open.",
    ],
    facts: [["Reset code", data.code]],
    action: { label: "Reset your password", url: data.url },
    after: [
      `The code can be used once and is valid for ${data.validFor}. A newer code replaces it.`,
      "If you did not ask for it, you can ignore this message. Your password stays as it is.",
    ],
  });

/** Tells the owner that the password was changed, whoever did it. `url` leads to the recovery. */
export const passwordChangedMail = (data: { name: string; at: Date; url: string }): ComposedMail =>
  composeMail({
    subject: "Your password was changed",
    greeting: data.name,
    paragraphs: [
      `The password of your account was changed on ${formatDateTime(data.at.toISOString())} UTC. All other sessions were ended.`,
      "If this was you, there is nothing to do. If not, please reset your password at once and contact us.",
    ],
    action: { label: "Reset your password", url: data.url },
  });
