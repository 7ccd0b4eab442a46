import { formatDate } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

export interface PartnerCertificateMail {
  /** The company whose certificate it is. */
  company: string;
  /** The name and address of the person who published it. */
  by: string;
  commonName: string;
  serialNumber: string;
  sha256: string;
  /** ISO 8601 timestamps. */
  startDate: string;
  expiryDate: string;
  /** `yyyy-MM-dd`, or "". */
  cutOverOn: string;
  isRenewal: boolean;
  /** Whether the partner has had a message about this certificate and not answered. */
  isReminder: boolean;
  /** The page with the files, where the partner answers. */
  url: string;
}

/** Tells a partner of a company that it has a new certificate, which the partner has to trust. Opening `url` answers nothing. */
export const partnerCertificateMail = (data: PartnerCertificateMail): ComposedMail => {
  const subject = data.isRenewal
    ? "A partner of yours has renewed a certificate"
    : "A partner of yours has a certificate";
  return composeMail({
    subject: data.isReminder ? `Please confirm: ${subject.replace(/^A/, "a")}` : subject,
    paragraphs: [
      ...(data.isReminder ? ["You have not answered our earlier message about this certificate."] : []),
      "One of our customers exchanges files with you and uses the certificate below. Your software has to trust it before they switch to it.",
      "We have issued the certificate. Who is named as a partner was typed in the portal; we have not checked it.",
    ],
    facts: [
      ["Company", data.company],
      ["Published by", data.by],
      ["Common name", data.commonName],
      ["Serial number", data.serialNumber],
      ["SHA-256 fingerprint", data.sha256],
      ["Valid from", formatDate(data.startDate)],
      ["Valid until", formatDate(data.expiryDate)],
      ["Planned switch", data.cutOverOn && formatDate(data.cutOverOn)],
    ],
    next: `Open the page, import the certificate${data.isRenewal ? " beside the previous one" : ""}, and confirm it there. You need no account. You can also ask the company a question, or say that the certificate is not for you.`,
    action: { label: "Open the certificate", url: data.url },
    after: [
      "The page can be opened until the certificate ends. Opening it confirms nothing: the page has buttons for that.",
    ],
  });
};

export interface PartnerAnswerMail {
  /** The first name of whoever gets the messages about the certificate. */
  name: string;
  commonName: string;
  /** The partner in words. */
  partner: string;
  /** What the partner asks, or null when the partner says that the certificate is not for them. */
  question: string | null;
  /** The page of the partners. */
  url: string;
}

/** Tells the owner of a certificate that a partner has a question, or that it is not for this partner. */
export const partnerAnswerMail = (data: PartnerAnswerMail): ComposedMail =>
  composeMail({
    subject:
      data.question === null
        ? `A partner says that the certificate for ${data.commonName} is not for them`
        : `A partner has a question about the certificate for ${data.commonName}`,
    greeting: data.name,
    paragraphs: [
      data.question === null
        ? "You have published the certificate to this partner, who says that it is not for them."
        : "You have published the certificate to this partner. The text below was typed on the partner’s page.",
    ],
    facts: [
      ["Common name", data.commonName],
      ["Partner", data.partner],
      ["Question", data.question ?? ""],
    ],
    next:
      data.question === null
        ? "Remove the partner if the address is wrong, or ask the partner."
        : "Please answer the partner directly. The partner can still confirm on the same page.",
    action: { label: "Open the partners", url: data.url },
  });

export interface PartnersReadyMail {
  name: string;
  commonName: string;
  /** `yyyy-MM-dd`, or "". */
  cutOverOn: string;
  url: string;
}

/** Tells the owner of a certificate that all its partners have confirmed it. */
export const partnersReadyMail = (data: PartnersReadyMail): ComposedMail =>
  composeMail({
    subject: `All partners have imported the certificate for ${data.commonName}`,
    greeting: data.name,
    paragraphs: ["All partners to whom you have published the certificate have confirmed that they have imported it."],
    facts: [
      ["Common name", data.commonName],
      ["Planned switch", data.cutOverOn && formatDate(data.cutOverOn)],
    ],
    next: "It is safe to switch to the new key. Keep the previous private key to decrypt what was encrypted for it.",
    action: { label: "Open the partners", url: data.url },
  });

export interface PartnersPublishedMail {
  name: string;
  commonName: string;
  /** The partners who got a message, in words. */
  told: readonly string[];
  /** The partners who got none because of the limits, in words. */
  limited: readonly string[];
  /** `yyyy-MM-dd`, or "". */
  cutOverOn: string;
  url: string;
}

/** Tells the owner of a renewed certificate that it was published to its partners by itself. */
export const partnersPublishedMail = (data: PartnersPublishedMail): ComposedMail =>
  composeMail({
    subject: `The renewed certificate for ${data.commonName} was published to your partners`,
    greeting: data.name,
    paragraphs: [
      "Your company has chosen that renewals of this certificate are published to its partners by themselves.",
    ],
    facts: [
      ["Common name", data.commonName],
      ["Sent to", data.told.join(", ")],
      ["Too many messages today", data.limited.join(", ")],
      ["Planned switch", data.cutOverOn && formatDate(data.cutOverOn)],
    ],
    next:
      data.limited.length > 0
        ? "Publish it again tomorrow for those who got no message. Switch to the new key when all have confirmed."
        : "Switch to the new key when all have confirmed. The page shows who has.",
    action: { label: "Open the partners", url: data.url },
  });

export interface PartnersNotPublishedMail {
  name: string;
  commonName: string;
  /** Why nobody was told, in a sentence. */
  why: string;
  url: string;
}

/** Tells the owner of a renewed certificate that it could not be published to its partners by itself. */
export const partnersNotPublishedMail = (data: PartnersNotPublishedMail): ComposedMail =>
  composeMail({
    subject: `The renewed certificate for ${data.commonName} was not published to your partners`,
    greeting: data.name,
    paragraphs: [
      "Your company has chosen that renewals of this certificate are published to its partners by themselves.",
      `No partner was told this time. ${data.why}`,
    ],
    facts: [["Common name", data.commonName]],
    next: "Publish it yourself. Do not switch to the new key before your partners have imported the certificate.",
    action: { label: "Open the partners", url: data.url },
  });
