import { formatDate } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { composeMail, type ComposedMail } from "../compose.server";

interface ExpiryReminderData {
  commonName: string;
  serialNumber: string;
  /** An ISO 8601 timestamp. */
  expiryDate: string;
  daysLeft: number;
}

export interface OwnerReminderData extends ExpiryReminderData {
  name: string;
  /** A text such as 'Renewal opens 06/10/2027', or null when the certificate can be renewed now. */
  renewalOpens: string | null;
  /** The page of the certificate, where it can be renewed. */
  url: string;
}

export interface ContactReminderData extends ExpiryReminderData {
  /** The name of the owner, who can renew the certificate. */
  ownerName: string;
}

const inDays = (days: number) => `in ${days} ${days === 1 ? "day" : "days"}`;

const AFTER = [
  "Your partners need the new certificate before the old one ends, so allow time for our checks and for them.",
  "If you no longer need the certificate, you do not have to do anything.",
];

const facts = ({ commonName, serialNumber, expiryDate }: ExpiryReminderData): [string, string][] => [
  ["Common name", commonName],
  ["Serial number", colonHex(serialNumber)],
  ["Valid until", formatDate(expiryDate)],
];

/** Reminds the owner that a certificate expires soon. */
export function expiryReminderMail(data: OwnerReminderData): ComposedMail {
  const { commonName, renewalOpens } = data;
  const when = inDays(data.daysLeft);
  const howTo = renewalOpens
    ? `It cannot be renewed yet. ${renewalOpens}.`
    : "It can be renewed now. Please have a new key and a certificate signing request ready.";
  return composeMail({
    subject: `Your certificate for ${commonName} expires ${when}`,
    greeting: data.name,
    paragraphs: [`The certificate below expires ${when} and has not been renewed. ${howTo}`],
    facts: facts(data),
    action: { label: renewalOpens ? "View your certificate" : "Renew your certificate", url: data.url },
    after: AFTER,
  });
}

/** Reminds the authentication contact, who cannot renew the certificate. */
export function contactReminderMail(data: ContactReminderData): ComposedMail {
  const when = inDays(data.daysLeft);
  return composeMail({
    subject: `A certificate that you authorised expires ${when}`,
    paragraphs: [
      `The certificate below, which you authorised for your organisation, expires ${when} and has not been renewed. Its owner can renew it; please see to it that somebody does.`,
    ],
    facts: [...facts(data), ["Owner", data.ownerName]],
    after: AFTER,
  });
}
