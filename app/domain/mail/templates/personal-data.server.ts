import { formatDateTime } from "~/lib/dates";
import { type ComposedMail, composeMail } from "../compose.server";

interface ErasureRequested {
  name: string;
  username: string;
  url: string;
}

/** Tells a user administrator that a person asks for the erasure of their data. `url` leads to the account. */
export const erasureRequestedMail = ({ name, username, url }: ErasureRequested): ComposedMail =>
  composeMail({
    subject: "A person asks for the erasure of their data",
    greeting: name,
    paragraphs: [
      "The person has confirmed who they are. Please erase the data, or tell the person what stops it, within a month.",
    ],
    facts: [["User name", username]],
    action: { label: "Open the account", url },
  });

/** Tells a person that their data was erased. It is the last message to the address. */
export const dataErasedMail = ({ name, at }: { name: string; at: Date }): ComposedMail =>
  composeMail({
    subject: "Your data has been erased",
    greeting: name,
    paragraphs: [
      "The personal data of your account has been erased, and nobody can log in to it any more. Orders, invoices and certificates stay for as long as law and evidence require.",
      "This is the last message to this address. Please contact us if you did not ask for this.",
    ],
    facts: [["Erased", `${formatDateTime(at.toISOString())} UTC`]],
  });
