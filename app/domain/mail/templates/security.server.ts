import { composeMail, type ComposedMail } from "../compose.server";

interface SecurityAlert {
  /** "" for a mailbox that belongs to no single person. */
  name: string;
  /** What happened, such as "Right granted". */
  what: string;
  facts: readonly (readonly [label: string, value: string])[];
  url: string;
}

/** Informs an administrator of an event that may be an attack. `url` leads to the list of security events, which changes nothing. */
export const securityAlertMail = ({ name, what, facts, url }: SecurityAlert): ComposedMail =>
  composeMail({
    subject: `Security alert: ${what.toLowerCase()}`,
    ...(name && { greeting: name }),
    paragraphs: [
      "The portal has recorded an event that administrators should know of. Please check that it was intended.",
    ],
    facts,
    action: { label: "Open the security events", url },
    after: [
      "Opening the link changes nothing. If nobody of you did this, lock the account concerned and look at its other events.",
    ],
  });
