import { composeMail, type ComposedMail } from "../compose.server";

export interface KeyBlockedData {
  name: string;
  /** The certificates and open orders with the key; empty when it came with a CSR only. */
  certificates: readonly { commonName: string; orderNumber: string }[];
  url: string;
}

/** Informs the owner that a key can be broken and is blocked. */
export const keyBlockedMail = ({ name, certificates, url }: KeyBlockedData): ComposedMail =>
  composeMail({
    subject: "A key of yours can be broken and has been blocked",
    greeting: name,
    paragraphs: [
      "An RSA key of yours shares a prime factor with another key. This happens when the device or program that made it has too little randomness. Whoever has both public keys can compute both private keys, so we have blocked them: they cannot be used in an order any more.",
      certificates.length > 0
        ? "The key belongs to:"
        : "The key came with a certificate signing request that you imported.",
    ],
    facts: certificates.map(({ commonName, orderNumber }) => [orderNumber, commonName] as const),
    next: "Please stop using the key. Create a new one, if possible on another system or with newer software, and order or renew with it.",
    action: { label: "View your certificates", url },
    after: ["We will contact you about certificates that have to be revoked."],
  });

export interface KeyReportedData {
  name: string;
  /** The certificates and orders of the owner with the key that the report did not revoke. */
  certificates: readonly { commonName: string; orderNumber: string }[];
  url: string;
}

/** Informs the owner of an open order or an ended certificate that its key was reported as compromised. */
export const keyReportedMail = ({ name, certificates, url }: KeyReportedData): ComposedMail =>
  composeMail({
    subject: "A key of yours was reported as compromised and has been blocked",
    greeting: name,
    paragraphs: [
      "Somebody has proved to us, without an account, to have the private key of the certificates or orders below. We have blocked the key: no certificate is issued for it any more, and those in force are revoked.",
      "If it was not you or your provider, find out how the key got out. Files that were encrypted for it can be read by whoever has it.",
    ],
    facts: certificates.map(({ commonName, orderNumber }) => [orderNumber, commonName] as const),
    next: "Please create a new key and order with it. An open order with the old key will not be approved.",
    action: { label: "View your certificates", url },
  });

export interface KeyReportData {
  name: string;
  subject: string;
  text: string;
  lines: readonly string[];
  url: string;
}

/** Reports to an administrator what was found about keys. */
export const keyReportMail = ({ name, subject, text, lines, url }: KeyReportData): ComposedMail =>
  composeMail({
    subject,
    greeting: name,
    paragraphs: [text, ...lines],
    next: "Please look at what is named above. The overview shows the state of the portal.",
    action: { label: "Open the overview", url },
  });
