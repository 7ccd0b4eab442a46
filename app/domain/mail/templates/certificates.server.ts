import { formatDate, formatDateTime } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { composeMail, type ComposedMail } from "../compose.server";
import { type MailFile } from "../parts";

export interface CertificateIssuedData {
  name: string;
  orderNumber: string;
  commonName: string;
  serialNumber: string;
  /** ISO 8601 timestamps. */
  startDate: string;
  expiryDate: string;
  downloadUrl: string;
  /** The usual files, each with a link that downloads it. */
  files: readonly MailFile[];
  /** The page with the root and issuing certificates. */
  repositoryUrl: string;
  /** The certificate that this one renews. */
  renewed?: { serialNumber: string; expiryDate: string; isIssuerKept: boolean } | null;
  /** The certificate that an administrator replaced with this one. */
  replacesId?: number | null;
  /** The certificate that this one corrects, and when it is revoked at the latest: an ISO 8601 timestamp. */
  corrected?: { id: number; revokedBy: string } | null;
}

/**
 * What the owner of a renewed certificate must do for the partners. OFTP2 software recognises a successor by subject, issuer and key usage.
 */
const partnersText = ({ isIssuerKept }: NonNullable<CertificateIssuedData["renewed"]>) => [
  isIssuerKept
    ? "What your partners need: subject, issuer and key usage are those of your previous certificate, so software that recognises a successor by them takes the new one by itself, for example when it is sent with the automatic certificate exchange of OFTP2. Every other partner needs the new certificate from you and has to import it beside the previous one."
    : "What your partners need: this certificate has another issuer than your previous one. Send it to all your partners: each has to import it beside the previous one, and the new issuing CA certificate and CA root certificate if they are not trusted there yet.",
  "Partners who name your certificate by its serial number, thumbprint or key, or use it to encrypt files for you, have to change to the new one before you switch.",
  "Switch to the new key when your partners are ready, before the previous certificate ends, and keep the previous private key to decrypt what was encrypted for it.",
];

const supersededText = ({ id, revokedBy }: NonNullable<CertificateIssuedData["corrected"]>) =>
  `Your download revokes certificate ${id}, which the new one corrects, within a minute; without a download it is revoked on ${formatDateTime(revokedBy)} UTC. Download the new certificate when you can install it. The archive for your partners revokes nothing: give them the certificate first.`;

function readyText({ renewed, replacesId, corrected }: CertificateIssuedData): string {
  if (corrected) return "Your corrected certificate is ready.";
  if (renewed) return "Your renewed certificate is ready.";
  if (replacesId) return "We have replaced your certificate: the new one is ready.";
  return "All checks are complete and your certificate is ready.";
}

/** Informs the customer that the certificate is ready, with download and install instructions (MAI-01, PUR-10). */
export const certificateIssuedMail = (data: CertificateIssuedData): ComposedMail =>
  composeMail({
    subject: `Your certificate for ${data.commonName} has been issued`,
    greeting: data.name,
    paragraphs: [readyText(data), ...(data.corrected ? [supersededText(data.corrected)] : [])],
    facts: [
      ["Common name", data.commonName],
      ["Serial number", colonHex(data.serialNumber)],
      ["Valid from", formatDate(data.startDate)],
      ["Valid until", formatDate(data.expiryDate)],
      ["Sales order number", data.orderNumber],
      ["Previous serial number", data.renewed ? colonHex(data.renewed.serialNumber) : ""],
      ["Previous certificate ends", data.renewed ? formatDate(data.renewed.expiryDate) : ""],
    ],
    next: "Download the certificate and install it, with the certificates of our CA. The instructions are below.",
    action: { label: "Download your certificate", url: data.downloadUrl },
    files: data.files,
    after: [
      "How to download: follow the link of the file that your OFTP2 program takes, and log in if you are asked to. The link “Download your certificate” opens the page with all files and encodings.",
      "How to install: import the certificate on the system on which the certificate signing request was made, because the private key is there. Then install the issuing CA certificate and the CA root certificate, which the same page offers, so that your partners can verify the chain.",
      `Revocation lists and all CA certificates are in the certificate repository: ${data.repositoryUrl}`,
      "Keep the private key secret and backed up. If it is lost or may be known to others, revoke the certificate at once.",
      ...(data.renewed ? partnersText(data.renewed) : []),
      ...(data.replacesId
        ? [
            `It replaces certificate ${data.replacesId}, which stays valid until it ends or is revoked: give the new one to your partners, then have the old one revoked.`,
          ]
        : []),
    ],
  });

export interface CertificateRevokedData {
  name: string;
  commonName: string;
  serialNumber: string;
  /** When the certificate was or will be revoked: an ISO 8601 timestamp. */
  revocationDate: string;
  /** The description of the reason, such as 'Key Compromised'. */
  reason: string;
  isKeyCompromised: boolean;
  description: string | null;
  url: string;
}

const revocationFacts = (data: CertificateRevokedData, dateLabel: string): [string, string][] => [
  ["Common name", data.commonName],
  ["Serial number", colonHex(data.serialNumber)],
  [dateLabel, `${formatDateTime(data.revocationDate)} UTC`],
  ["Reason", data.reason],
  ["Description", data.description ?? ""],
];

const NEW_KEY =
  "Please stop using the certificate and its key, tell your partners, and order a new certificate with a new key. Whoever has the old key can read the files that were encrypted for it.";

const NOT_ASKED_FOR = "If you did not ask for this, please contact us without delay.";

/** Informs the customer that a certificate will be revoked, before its partners come across a revoked one (docs/decisions/0004). */
export const revocationScheduledMail = (data: CertificateRevokedData): ComposedMail =>
  composeMail({
    subject: `Your certificate for ${data.commonName} will be revoked`,
    greeting: data.name,
    paragraphs: [
      "The revocation of the certificate below is scheduled. Until then it is valid. The revocation cannot be withdrawn; it can be brought forward.",
    ],
    facts: revocationFacts(data, "Will be revoked on"),
    next: `Use another certificate from then on, and tell your partners. ${NOT_ASKED_FOR}`,
    action: { label: "View certificate", url: data.url },
  });

/** Confirms a revocation (MAI-01, REV-03). */
export const certificateRevokedMail = (data: CertificateRevokedData): ComposedMail =>
  composeMail({
    subject: `Your certificate for ${data.commonName} has been revoked`,
    greeting: data.name,
    paragraphs: ["The certificate below has been revoked and is on our revocation list. Revocation is irreversible."],
    facts: revocationFacts(data, "Revoked on"),
    next: `${data.isKeyCompromised ? NEW_KEY : "Please stop using the certificate, and tell your partners."} ${NOT_ASKED_FOR}`,
    action: { label: "View certificate", url: data.url },
  });

export interface IssuerRevokedData {
  name: string;
  commonName: string;
  serialNumber: string;
  /** An ISO 8601 timestamp. */
  expiryDate: string;
  /** What people call the revoked CA. */
  issuer: string;
  /** The page of the certificate, where it can be renewed. */
  url: string;
}

/** Informs the customer that the CA which issued a valid certificate is revoked, and what to do. */
export const issuerRevokedMail = (data: IssuerRevokedData): ComposedMail =>
  composeMail({
    subject: `Please replace your certificate for ${data.commonName} at once`,
    greeting: data.name,
    paragraphs: [
      `The CA that issued the certificate below, ${data.issuer}, is revoked, because its key may be known to others. Partners who check certificates will refuse yours.`,
      "A renewal for 0 years is free of charge: it ends on the same day and comes from another CA.",
    ],
    facts: [
      ["Common name", data.commonName],
      ["Serial number", colonHex(data.serialNumber)],
      ["Valid until", formatDate(data.expiryDate)],
    ],
    next: "Renew the certificate now, whenever it ends. Have a new key and a certificate signing request ready.",
    action: { label: "Renew your certificate", url: data.url },
    after: [
      "Your own key is not affected, but a renewal needs a new one.",
      "Send the new certificate to all your partners, with the certificate of its issuing CA, which the certificate repository offers.",
    ],
  });

export interface CorrectionOrderedData {
  name: string;
  /** The number of the correction, such as COR-2026-0001. */
  number: string;
  orderNumber: string;
  certificateId: number;
  /** What differs, with the former and the new value. */
  changes: readonly { label: string; from: string; to: string }[];
  /** How many days after the issue the corrected certificate is revoked at the latest. */
  days: number;
  /** The page of the order. */
  url: string;
}

/** Confirms to the customer that the correction of a certificate is ordered, and says what happens next. */
export const correctionOrderedMail = (data: CorrectionOrderedData): ComposedMail =>
  composeMail({
    subject: `Correction ${data.number}: certificate ${data.certificateId} will be issued again`,
    greeting: data.name,
    paragraphs: [
      `The correction of certificate ${data.certificateId} is ordered, free of charge. It passes the checks of every order: we ask the authentication contact and compare the new CSR.`,
    ],
    facts: [
      ["Correction", data.number],
      ["Sales order number", data.orderNumber],
      ...data.changes.map(({ label, from, to }): [string, string] => [label, `${from || "none"} → ${to || "none"}`]),
    ],
    next: "Follow the order, or cancel it as long as it is pending.",
    action: { label: "View the order", url: data.url },
    after: [
      `Certificate ${data.certificateId} stays valid until the new one is issued. It is revoked as superseded once you have downloaded the new one, at the latest ${data.days} days after the issue. When the order is rejected or cancelled, nothing happens to it.`,
    ],
  });
