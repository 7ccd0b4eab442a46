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
        ? "Please stop using the key. It belongs to:"
        : "The key came with a certificate signing request that you imported.",
    ],
    facts: certificates.map(({ commonName, orderNumber }) => [orderNumber, commonName] as const),
    action: { label: "Your certificates", url },
    after: [
      "Please create a new key, if possible on another system or with newer software, and order or renew with it. We will contact you about certificates that have to be revoked.",
    ],
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
    action: { label: "Overview", url },
  });
