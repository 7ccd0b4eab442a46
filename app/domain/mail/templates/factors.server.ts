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
  /** What the owner should do, when it is not about a change that somebody else may have made. */
  advice?: string | undefined;
  url: string;
}

const IF_NOT_YOU =
  "If this was you, there is nothing to do. If not, please reset your password at once, and contact us.";

/** Informs the owner of an account that its second factors have changed, or that a recovery code was used. `url` leads to the page of them. */
export const factorMail = ({ name, username, at, what, detail, advice = IF_NOT_YOU, url }: FactorMail): ComposedMail =>
  composeMail({
    subject: what,
    greeting: name,
    paragraphs: [`${what}.`],
    facts: [
      ["User name", username],
      ["Time", `${formatDateTime(at.toISOString())} UTC`],
      ["What", detail],
    ],
    next: advice,
    action: { label: "Open your second factors", url },
  });
