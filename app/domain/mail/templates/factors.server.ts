import { formatDateTime } from "~/lib/dates";
import { type ComposedMail, composeMail } from "../compose.server";

export interface FactorMail {
  name: string;
  username: string;
  at: Date;
  /** What happened, as the subject of the message. */
  what: string;
  /** More about it, such as 'Authenticator app: Work phone'. */
  detail: string;
  url: string;
}

/** Informs the owner of an account that its second factors have changed, or that a recovery code was used. `url` leads to the page of them. */
export const factorMail = ({ name, username, at, what, detail, url }: FactorMail): ComposedMail =>
  composeMail({
    subject: what,
    greeting: name,
    paragraphs: [
      `${what}.`,
      "If this was you, there is nothing to do. If not, please reset your password at once, and contact us.",
    ],
    facts: [
      ["User name", username],
      ["Time", `${formatDateTime(at.toISOString())} UTC`],
      ["What", detail],
    ],
    action: { label: "Open your second factors", url },
  });
