import { formatDateTime } from "~/lib/dates";
import { type ComposedMail, composeMail } from "../compose.server";

interface SecondNeeded {
  name: string;
  /** The email of the user administrator who asks. */
  requester: string;
  username: string;
  /** What is asked for, such as 'to grant the right Approver'. */
  what: string;
  expiresAt: Date;
  /** What the user administrator must know in addition, or null. */
  notice: string | null;
  url: string;
}

/** Asks a user administrator to decide what another one has requested. `url` leads to the account. */
export const secondNeededMail = ({
  name,
  requester,
  username,
  what,
  expiresAt,
  notice,
  url,
}: SecondNeeded): ComposedMail =>
  composeMail({
    subject: "A request waits for a second user administrator",
    greeting: name,
    paragraphs: [
      `${requester} asks ${what}. A second user administrator approves or refuses this.`,
      ...(notice === null ? [] : [notice]),
    ],
    facts: [
      ["User name", username],
      ["Can be decided until", `${formatDateTime(expiresAt.toISOString())} UTC`],
    ],
    next: "Please ask whoever made the request whether it is really theirs, then approve or refuse it on the page of the account.",
    action: { label: "Open the account", url },
  });
