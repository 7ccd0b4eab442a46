import { formatDateTime } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

/** Why a code is sent: the person asked for it, a user administrator sends it, or the account was made for the person. */
export type ResetOccasion = "asked" | "sent" | "created";

interface ResetCode {
  occasion: ResetOccasion;
  name: string;
  /** The account that the code is for. Several accounts may share the email address. */
  account: { username: string; company: string; isOneOfSeveral: boolean };
  code: string;
  url: string;
  /** In words, such as "60 minutes" or "7 days". */
  validFor: string;
}

const SEVERAL =
  "Several accounts have this email address. You get a message with its own code for each of them; this one is for the account below.";

const ASK_AGAIN = "Afterwards, ask for a new one with 'Forgot Password' on the login page.";

const OCCASIONS: Record<
  ResetOccasion,
  { subject: string; why: string; next: string; action: string; otherwise: string }
> = {
  asked: {
    subject: "Your password reset code",
    why: "Somebody, probably you, asked to reset the password of your account.",
    next: "Follow the link, or enter the reset code on the page that is still open.",
    action: "Reset your password",
    otherwise: "If you did not ask for it, you can ignore this message. Your password stays as it is.",
  },
  sent: {
    subject: "Choose a new password",
    why: "We send you the link with which you choose a new password for your account.",
    next: "Follow the link to choose the password.",
    action: "Reset your password",
    otherwise: "If you need no new password, you can ignore this message. Your password stays as it is.",
  },
  created: {
    subject: "Choose the password of your account",
    why: "We have made an account for you.",
    next: "Follow the link to choose a password, which also confirms that this email address is yours.",
    action: "Choose a password",
    otherwise: `${ASK_AGAIN} If you know nothing of this account, you can ignore this message.`,
  },
};

/** Sends the reset code and the link that contains it. */
export const resetCodeMail = ({ occasion, name, account, code, url, validFor }: ResetCode): ComposedMail => {
  const { subject, why, next, action, otherwise } = OCCASIONS[occasion];
  return composeMail({
    subject: `${subject}${account.isOneOfSeveral ? ` for ${account.username}` : ""}`,
    greeting: name,
    paragraphs: [why, ...(account.isOneOfSeveral ? [SEVERAL] : [])],
    facts: [
      ["User name", account.username],
      ["Company", account.company],
      ["Reset code", code],
    ],
    next,
    action: { label: action, url },
    after: [`The code can be used once and is valid for ${validFor}. A newer code replaces it.`, otherwise],
  });
};

/** Informs the owner that the password was changed, whoever changed it. `url` leads to the password recovery. */
export const passwordChangedMail = (data: { name: string; username: string; at: Date; url: string }): ComposedMail =>
  composeMail({
    subject: "Your password was changed",
    greeting: data.name,
    paragraphs: [
      `The password of your account was changed on ${formatDateTime(data.at.toISOString())} UTC. All other sessions were ended.`,
    ],
    facts: [["User name", data.username]],
    next: "If this was you, there is nothing to do. If not, please reset your password at once and contact us.",
    action: { label: "Reset your password", url: data.url },
  });
