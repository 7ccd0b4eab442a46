import { composeMail, type ComposedMail } from "../compose.server";

interface WebhookPausedMail {
  /** The first name of the owner. */
  name: string;
  company: string;
  /** The host of the receiver. */
  host: string;
  /** Why nothing is sent any more, as a sentence. */
  why: string;
  /** The page of the webhook. */
  url: string;
}

/** Tells the owners of a company that the portal has paused a webhook. */
export const webhookPausedMail = ({ name, company, host, why, url }: WebhookPausedMail): ComposedMail =>
  composeMail({
    subject: `The webhook to ${host} is paused`,
    greeting: name,
    paragraphs: [`We send nothing to the webhook below any more. ${why}`],
    facts: [
      ["Company", company],
      ["Host", host],
    ],
    next: "Please repair the receiver and resume the webhook, or remove it. What happens meanwhile waits for three days, and its page lists what was not delivered.",
    action: { label: "Open the webhook", url },
  });
