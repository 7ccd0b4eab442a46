import { formatDate } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { composeMail, type ComposedMail } from "../compose.server";

export interface ExpiryReminderData {
  name: string;
  commonName: string;
  serialNumber: string;
  /** ISO moment. */
  expiryDate: string;
  daysLeft: number;
  /** 'Renewal opens 06/10/2027', or null when it is open. */
  renewalOpens: string | null;
  /** The certificate's page, where it is renewed. */
  url: string;
  /** Who can renew it; given when the message goes to the authentication contact, who cannot. */
  ownerName?: string;
}

/** Reminds the owner or the authentication contact that a certificate ends soon. */
export function expiryReminderMail(data: ExpiryReminderData): ComposedMail {
  const { commonName, daysLeft, ownerName, renewalOpens } = data;
  const when = `in ${daysLeft} ${daysLeft === 1 ? "day" : "days"}`;
  const howTo = renewalOpens
    ? `It cannot be renewed yet. ${renewalOpens}.`
    : "It can be renewed now. Please have a new key and a certificate signing request ready.";
  return composeMail({
    subject: `Your certificate for ${commonName} expires ${when}`,
    greeting: data.name,
    paragraphs: [
      ownerName
        ? `The certificate below, which you authorised for your organisation, expires ${when} and has not been renewed. ${ownerName} can renew it; please see to it that somebody does.`
        : `The certificate below expires ${when} and has not been renewed. ${howTo}`,
    ],
    facts: [
      ["Common name", commonName],
      ["Serial number", colonHex(data.serialNumber)],
      ["Valid until", formatDate(data.expiryDate)],
    ],
    ...(!ownerName && {
      action: { label: renewalOpens ? "View your certificate" : "Renew your certificate", url: data.url },
    }),
    after: [
      "Your partners need the new certificate before the old one ends, so allow time for our checks and for them.",
      "If the certificate is not needed any more, you need do nothing.",
    ],
  });
}
