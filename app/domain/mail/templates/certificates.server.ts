import { formatDate, formatDateTime } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { composeMail, type ComposedMail } from "../compose.server";

export interface CertificateIssuedData {
  name: string;
  orderNumber: string;
  commonName: string;
  serialNumber: string;
  /** ISO moments. */
  startDate: string;
  expiryDate: string;
  downloadUrl: string;
  /** Page with root and issuing certificates. */
  repositoryUrl: string;
  isRenewal?: boolean;
}

/** Tells the customer that the certificate is there, with download and install instructions (B §2, Order complete). */
export const certificateIssuedMail = (data: CertificateIssuedData): ComposedMail =>
  composeMail({
    subject: `Your certificate for ${data.commonName} has been issued`,
    greeting: data.name,
    paragraphs: [
      data.isRenewal ? "Your renewed certificate is ready." : "All checks are complete and your certificate is ready.",
    ],
    facts: [
      ["Common name", data.commonName],
      ["Serial number", colonHex(data.serialNumber)],
      ["Valid from", formatDate(data.startDate)],
      ["Valid until", formatDate(data.expiryDate)],
      ["Sales order number", data.orderNumber],
    ],
    action: { label: "Download your certificate", url: data.downloadUrl },
    after: [
      "How to download: open the link above, log in, choose 'Your Certificate' and the encoding that your software asks for. PEM suits most software; DER is its binary form.",
      "How to install: import the certificate on the system on which the certificate signing request was made, because the private key is there. Then install the issuing CA certificate and the CA root certificate, which the same page offers, so that your partners can verify the chain.",
      `Revocation lists and all CA certificates are in the certificate repository: ${data.repositoryUrl}`,
      "Keep the private key secret and backed up. If it is lost or may be known to others, revoke the certificate at once.",
      ...(data.isRenewal
        ? ["Give the new certificate to your partners before the old one ends; the old one stays valid until then."]
        : []),
    ],
  });

export interface CertificateRevokedData {
  name: string;
  commonName: string;
  serialNumber: string;
  /** ISO moment. */
  revocationDate: string;
  /** The reason's description, such as 'Key Compromised'. */
  reason: string;
  description: string | null;
  url: string;
}

/** Confirms a revocation (B §2, Revoke certificate). */
export const certificateRevokedMail = (data: CertificateRevokedData): ComposedMail =>
  composeMail({
    subject: `Your certificate for ${data.commonName} has been revoked`,
    greeting: data.name,
    paragraphs: [
      "The certificate below has been revoked and is on our revocation list. Revocation is irreversible: please stop using the certificate.",
    ],
    facts: [
      ["Common name", data.commonName],
      ["Serial number", colonHex(data.serialNumber)],
      ["Revoked on", `${formatDateTime(data.revocationDate)} UTC`],
      ["Reason", data.reason],
      ["Description", data.description ?? ""],
    ],
    action: { label: "View certificate", url: data.url },
    after: ["If you did not ask for this, please contact us without delay."],
  });
