import { formatDateTime } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

interface NewLogin {
  name: string;
  /** The user name of the account. Several accounts may share the email address. */
  username: string;
  at: Date;
  isProgram: boolean;
  /** Browser and system, or the program, in words. */
  device: string;
  address: string;
  url: string;
}

/** Informs the owner of a login from a browser or, for a program, from a network that is new. `url` leads to the password recovery. */
export const newLoginMail = ({ name, username, at, isProgram, device, address, url }: NewLogin): ComposedMail =>
  composeMail({
    subject: "New login to your account",
    greeting: name,
    paragraphs: [
      isProgram
        ? "A program logged in to your account from a network where the account was not in use before."
        : "Somebody, probably you, logged in to your account in a browser where it was not logged in before.",
    ],
    facts: [
      ["User name", username],
      ["Time", `${formatDateTime(at.toISOString())} UTC`],
      [isProgram ? "Program" : "Browser", device],
      ["Network address", address],
    ],
    next: "If this was you, there is nothing to do. If not, please reset your password at once, which ends all sessions, and contact us.",
    action: { label: "Reset your password", url },
    after: [
      "The page 'Your sessions and devices' of the portal lists all open sessions. You can end each of them there.",
    ],
  });
