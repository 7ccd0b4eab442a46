import { formatDateTime } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";
import { confirmationMail, type EmailLink } from "./accounts.server";

/** Asks the reader of an account's new address to confirm it. Until then the account keeps the old one. */
export const changeEmailMail = (link: EmailLink): ComposedMail =>
  confirmationMail(link, {
    subject: "Please confirm your new email address",
    paragraphs: [
      "This email address was entered as the new one of an account.",
      "From then on you log in with it, and messages go to it. Until then nothing changes.",
    ],
    next: "Please confirm that this email address is yours.",
    otherwise: "If you know nothing of this account, you can ignore this message.",
  });

interface RequestedChange {
  name: string;
  /** The new address. */
  email: string;
  /** Whether a user administrator changes the address for the person. */
  isByStaff: boolean;
  at: Date;
  /** Leads to the password recovery. */
  url: string;
}

/** Informs the current address of an account that another one will replace it. */
export const emailChangeRequestedMail = (data: RequestedChange): ComposedMail =>
  composeMail({
    subject: "Your email address is to be changed",
    greeting: data.name,
    paragraphs: [
      `On ${formatDateTime(data.at.toISOString())} UTC ${data.isByStaff ? "one of our user administrators" : "somebody with your password"} asked to change the email address of your account to ${data.email}. As soon as that address is confirmed by a link that was sent to it, messages go there.`,
    ],
    next: `If ${data.isByStaff ? "you asked us for this" : "this was you"}, there is nothing to do here. If not, please reset your password at once: that withdraws the change. Then contact us.`,
    action: { label: "Reset your password", url: data.url },
  });

/** Informs the old address that the account has another one now. `url` leads to the portal's contact page. */
export const emailChangedMail = (data: { name: string; email: string; at: Date; url: string }): ComposedMail =>
  composeMail({
    subject: "Your email address was changed",
    greeting: data.name,
    paragraphs: [
      `The email address of your account was changed to ${data.email} on ${formatDateTime(data.at.toISOString())} UTC. From now on, messages go there.`,
    ],
    next: "If this was you, there is nothing to do. If not, please contact us at once.",
    action: { label: "Contact us", url: data.url },
  });
