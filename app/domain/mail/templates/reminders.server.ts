import { formatDate } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { composeMail, type ComposedMail } from "../compose.server";

interface ExpiryReminderData {
  commonName: string;
  serialNumber: string;
  /** An ISO 8601 timestamp. */
  expiryDate: string;
  daysLeft: number;
  /** Why the certificate cannot be renewed with its names, a sentence for each name that is refused today. */
  refusedNames: readonly string[];
}

export interface OwnerReminderData extends ExpiryReminderData {
  name: string;
  /** A text such as 'Renewal opens 06/10/2027', or null when the certificate can be renewed now. */
  renewalOpens: string | null;
  /** Sentences about the code whose OFTP ID the certificate carries. */
  aboutCode: readonly string[];
  /** The page of the certificate, where it can be renewed. */
  url: string;
}

export interface ContactReminderData extends ExpiryReminderData {
  /** The name of the owner, who can renew the certificate. */
  ownerName: string;
  /** The portal's contact page. */
  contactUrl: string;
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

/** Returns how the owner gets the next certificate, what stops a renewal, and what the button of the message says. */
function renewal({ refusedNames, renewalOpens }: OwnerReminderData): {
  reasons: readonly string[];
  next: string;
  label: string;
} {
  if (refusedNames.length > 0)
    return {
      reasons: ["It cannot be renewed, because today’s rules refuse names in it.", ...refusedNames],
      next: "Please order a new certificate with other names.",
      label: "View your certificate",
    };
  return renewalOpens
    ? { reasons: [], next: `It cannot be renewed yet. ${renewalOpens}.`, label: "View your certificate" }
    : {
        reasons: [],
        next: "It can be renewed now. Please have a new key and a certificate signing request ready.",
        label: "Renew your certificate",
      };
}

/** Reminds the owner that a certificate expires soon. */
export function expiryReminderMail(data: OwnerReminderData): ComposedMail {
  const { commonName } = data;
  const when = inDays(data.daysLeft);
  const { reasons, next, label } = renewal(data);
  return composeMail({
    subject: `Your certificate for ${commonName} expires ${when}`,
    greeting: data.name,
    paragraphs: [`The certificate below expires ${when} and has not been renewed.`, ...data.aboutCode, ...reasons],
    facts: facts(data),
    next,
    action: { label, url: data.url },
    after: AFTER,
  });
}

/** Reminds the authentication contact, who cannot renew the certificate. */
export function contactReminderMail(data: ContactReminderData): ComposedMail {
  const when = inDays(data.daysLeft);
  const howTo =
    data.refusedNames.length > 0
      ? "It cannot be renewed, because today’s rules refuse names in it. Its owner can order a new one with other names."
      : "Its owner can renew it.";
  return composeMail({
    subject: `A certificate that you authorised expires ${when}`,
    paragraphs: [
      `The certificate below, which you authorised for your organisation, expires ${when} and has not been renewed. ${howTo}`,
    ],
    facts: [...facts(data), ["Owner", data.ownerName]],
    next: "Please ask its owner to see to it. If the owner has left your organisation, contact us.",
    action: { label: "Contact us", url: data.contactUrl },
    after: AFTER,
  });
}
