import { UNCONFIRMED_ERASURE } from "~/domain/accounts/personal-data/erasure.policy";
import { formatDateTime } from "~/lib/dates";
import { type ComposedMail, composeMail } from "../compose.server";

interface ErasureRequested {
  name: string;
  username: string;
  /** Whether the email address of the account is confirmed. */
  isConfirmed: boolean;
  url: string;
}

/** Tells a user administrator that a person asks for the erasure of their data. `url` leads to the account. */
export const erasureRequestedMail = ({ name, username, isConfirmed, url }: ErasureRequested): ComposedMail =>
  composeMail({
    subject: "A person asks for the erasure of their data",
    greeting: name,
    paragraphs: [
      "Whoever asks was logged in to the account, and had just confirmed with its password or second factor that it is theirs.",
      isConfirmed ? "The email address of the account is confirmed." : UNCONFIRMED_ERASURE,
    ],
    facts: [["User name", username]],
    next: "Please erase the data, or tell the person what stops it, within a month.",
    action: { label: "Open the account", url },
  });

interface ErasureWithdrawn {
  name: string;
  username: string;
  /** Whether the request of the user administrator has ended, too. It has not when it was made for another reason. */
  isEnded: boolean;
  url: string;
}

/** Tells the user administrator who asked a second one for an erasure that the person keeps the data. `url` leads to the account. */
export const erasureWithdrawnMail = ({ name, username, isEnded, url }: ErasureWithdrawn): ComposedMail =>
  composeMail({
    subject: "A person does not ask for the erasure of their data any more",
    greeting: name,
    paragraphs: [
      "The person has withdrawn the request for the erasure.",
      isEnded
        ? "Your request to erase the data has ended, because you made it after the person had asked. It cannot be approved any more."
        : "Your request to erase the data still waits for a second user administrator, because you made it before the person asked, for another reason.",
    ],
    facts: [["User name", username]],
    next: isEnded ? "There is nothing to do." : "Please withdraw your request if that reason no longer holds.",
    action: { label: "Open the account", url },
  });

/** Tells a person that their data was erased. It is the last message to the address. `url` leads to the portal's contact page. */
export const dataErasedMail = ({ name, at, url }: { name: string; at: Date; url: string }): ComposedMail =>
  composeMail({
    subject: "Your data has been erased",
    greeting: name,
    paragraphs: [
      "The personal data of your account has been erased, and nobody can log in to it any more. Orders, invoices and certificates stay for as long as law and evidence require.",
      "This is the last message to this address.",
    ],
    facts: [["Erased", `${formatDateTime(at.toISOString())} UTC`]],
    next: "There is nothing to do. Please contact us if you did not ask for this.",
    action: { label: "Contact us", url },
  });
