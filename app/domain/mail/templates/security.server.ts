import { composeMail, type ComposedMail } from "../compose.server";

interface SecurityAlert {
  /** "" for a mailbox that belongs to no single person. */
  name: string;
  /** What happened, such as "Right granted". */
  what: string;
  facts: readonly (readonly [label: string, value: string])[];
  /** Where the reader can look at it. Opening the link changes nothing. */
  link: { label: string; url: string };
}

/** Informs staff of an event that may be an attack. */
export const securityAlertMail = ({ name, what, facts, link }: SecurityAlert): ComposedMail =>
  composeMail({
    // "API client lost scopes" keeps its first word.
    subject: `Security alert: ${what.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())}`,
    ...(name && { greeting: name }),
    paragraphs: ["The portal has recorded an event that may be an attack."],
    facts,
    next: "Please check that it was intended. Opening the link changes nothing.",
    action: link,
    after: [
      "If none of you did this, a user administrator should lock the account concerned, and an auditor should look at its other events.",
    ],
  });
