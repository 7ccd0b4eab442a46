import { formatDate } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

/** The certificate that an order renews or replaces. */
interface Previous {
  id: number;
  commonName: string;
  /** An ISO 8601 timestamp. */
  expiryDate: string | null;
}

export interface ContactAuthorisationData {
  applicantName: string;
  applicantEmail: string;
  company: string;
  /** Who prepared a renewal for the applicant, or null. */
  preparedBy: string | null;
  orderNumber: string;
  commonName: string;
  organisation: string;
  alternativeNames: readonly string[];
  /** The certificate that the order renews. */
  renewed: Previous | null;
  /** The certificate that staff replace for the customer. */
  replaced: Previous | null;
  /** The certificate that the order corrects. */
  corrected: Previous | null;
  /** What the correction changes: the old and the new value of each field. */
  changes: readonly { label: string; from: string; to: string }[];
  /** How long the certificate will be valid, in words. */
  validity: string;
  /** For a reminder, the ISO 8601 timestamp of the order with which the contact was asked first. Otherwise null. */
  askedOn: string | null;
  /** The link of the contact. */
  url: string;
  validFor: string;
}

/** A CSR can have a thousand names. The page behind the link shows them all. */
const NAMES_SHOWN = 5;

function namesText(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return [...names.slice(0, NAMES_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

const previousText = (previous: Previous | null): string =>
  previous ? `${previous.id} (${previous.commonName}), valid until ${formatDate(previous.expiryDate)}` : "";

const NO_ANSWER = "No certificate is issued without your answer.";

/** Returns what the order is, for the subject, and the text about it. */
function introduce({ renewed, replaced, corrected }: ContactAuthorisationData): { what: string; paragraphs: string[] } {
  if (replaced)
    return {
      what: "replacement",
      paragraphs: [
        "One of our customers has asked us to replace a digital certificate, and has named you as the person who can authorise it for your organisation. The new certificate has a new key. Everything else stays as it is.",
        NO_ANSWER,
      ],
    };
  if (corrected)
    return {
      what: "correction",
      paragraphs: [
        "One of our customers corrects a digital certificate, and has named you as the person who can authorise it for your organisation. The new certificate has a new key and what is stated below as corrected. The earlier one is then revoked.",
        `${NO_ANSWER} The customer stated these details; we have not checked them yet.`,
      ],
    };
  const ordered = renewed ? "the renewal of a digital certificate" : "a digital certificate";
  return {
    what: renewed ? "renewal" : "order",
    paragraphs: [
      `One of our customers has ordered ${ordered} and named you as the person who can authorise it for your organisation.`,
      `${NO_ANSWER} The customer stated these details; we have not checked them yet.`,
    ],
  };
}

/**
 * Asks the authentication contact to authorise the order. What the customer typed appears only in the table, below a sentence that says so,
 * because the contact may never have heard of the customer.
 */
export function contactAuthorisationMail(data: ContactAuthorisationData): ComposedMail {
  const { what, paragraphs } = introduce(data);
  const { askedOn } = data;
  return composeMail({
    subject: `${askedOn ? "Reminder: please" : "Please"} authorise certificate ${what} ${data.orderNumber}`,
    paragraphs: askedOn
      ? [`We asked you on ${formatDate(askedOn)} and have no answer yet. The order waits for it.`, ...paragraphs]
      : paragraphs,
    facts: [
      ["Order number", data.orderNumber],
      ["Ordered by", `${data.applicantName} (${data.applicantEmail})`],
      ["Prepared by", data.preparedBy ?? ""],
      ["Company", data.company],
      ["Common name", data.commonName],
      ["Organisation", data.organisation],
      ["Alternative names", namesText(data.alternativeNames)],
      ["Renewal of certificate", previousText(data.renewed)],
      ["Replacement of certificate", previousText(data.replaced)],
      ["Correction of certificate", previousText(data.corrected)],
      ...data.changes.map(({ label, from, to }): [string, string] => [
        `Corrected: ${label}`,
        `${from || "none"} → ${to || "none"}`,
      ]),
      ["Validity period", data.validity],
    ],
    next: "Please check the details, then authorise or refuse the order. If you do not know about it, please refuse it.",
    action: { label: "Review the order", url: data.url },
    after: [
      `The link is meant for you alone, can be used once and is valid for ${data.validFor}. Please do not forward it.`,
    ],
  });
}
