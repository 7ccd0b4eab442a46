import { formatDateTime } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

interface ResetCode {
  name: string;
  /** The account that the code is for. Several accounts may share the email address. */
  account: { username: string; company: string; isOneOfSeveral: boolean };
  code: string;
  url: string;
  /** In words, such as "60 minutes". */
  validFor: string;
}

const SEVERAL =
  "Several accounts have this email address. You get a message with its own code for each of them; this one is for the account below.";

/** Sends the reset code and the link that contains it. */
export const resetCodeMail = ({ name, account, code, url, validFor }: ResetCode): ComposedMail =>
  composeMail({
    subject: `Your password reset code${account.isOneOfSeveral ? ` for ${account.username}` : ""}`,
    greeting: name,
    paragraphs: [
      "Somebody, probably you, asked to reset the password of your account. Follow the link, or enter the reset code on the page that is still open.",
      ...(account.isOneOfSeveral ? [SEVERAL] : []),
    ],
    facts: [
      ["User name", account.username],
      ["Company", account.company],
      ["Reset code", code],
    ],
    action: { label: "Reset your password", url },
    after: [
      `The code can be used once and is valid for ${validFor}. A newer code replaces it.`,
      "If you did not ask for it, you can ignore this message. Your password stays as it is.",
    ],
  });

/** Informs the owner that the password was changed, whoever changed it. `url` leads to the password recovery. */
export const passwordChangedMail = (data: { name: string; username: string; at: Date; url: string }): ComposedMail =>
  composeMail({
    subject: "Your password was changed",
    greeting: data.name,
    paragraphs: [
      `The password of your account was changed on ${formatDateTime(data.at.toISOString())} UTC. All other sessions were ended.`,
      "If this was you, there is nothing to do. If not, please reset your password at once and contact us.",
    ],
    facts: [["User name", data.username]],
    action: { label: "Reset your password", url: data.url },
  });
