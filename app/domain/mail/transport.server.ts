import { access } from "node:fs/promises";
import { join } from "node:path";
import { createTransport, type NodemailerError } from "nodemailer";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { type Mail } from "~db/repositories/mails.server";

/** What carries messages away. Resolves once the message is somebody else's duty, rejects with the reason otherwise. */
export interface MailTransport {
  send(mail: Mail, attachments?: readonly MailAttachment[]): Promise<void>;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** Longest time for one message, connection and all; shorter than the queue's lease. */
export const SEND_TIMEOUT_MS = 60_000;

/**
 * The headers by which mail programs offer to stop such messages (RFC 8058). One click does it by a POST to an https address, which opening
 * the page does not.
 */
const stopHeaders = (url: string | null) =>
  url === null
    ? {}
    : {
        "List-Unsubscribe": `<${url}>`,
        ...(url.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
      };

/** The message as nodemailer takes it. Its Message-ID follows from the row, so that receivers know a repeated one. */
function messageOf(
  { id, recipient, subject, text, html, createdAt, awaitsUserId, triedAt, stopUrl }: Mail,
  attachments: readonly MailAttachment[] = [],
) {
  const { mailFrom, publicUrl } = getEnv();
  const host = new URL(publicUrl).hostname;
  return {
    from: mailFrom ?? { name: getConfig().branding.mailName, address: `no-reply@${host}` },
    to: { name: "", address: recipient },
    subject,
    text,
    html,
    attachments: [...attachments],
    date: new Date((awaitsUserId !== null && triedAt) || createdAt), // a message that was held is not as old as its row
    messageId: `<mail-${id}.${Date.parse(createdAt)}@${host}>`,
    headers: { "Auto-Submitted": "auto-generated", ...stopHeaders(stopUrl) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Whether the mail server refused this recipient or this message for good (RFC 5321 §4.2.1): a 5yz answer to RCPT TO or to the message itself.
 * Answers that speak of the session are not of that kind, they are put right at the server or in SMTP_URL: every other command's, 50z
 * (not understood, out of order) and 53z (RFC 4954: to be authenticated first).
 */
export function isRejection(error: unknown): boolean {
  const { command, responseCode } = error as NodemailerError;
  return ["RCPT TO", "DATA"].includes(command ?? "") && /^5[^03]\d$/.test(String(responseCode));
}

/** Milliseconds that a mail server may be silent: before it answers, before its greeting, afterwards. */
const SMTP_PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Hands messages to the mail server at `url` (smtp:// or smtps://). */
export function smtpTransport(url: string, patience: Partial<typeof SMTP_PATIENCE> = {}): MailTransport {
  const transport = createTransport({ url, ...SMTP_PATIENCE, ...patience });
  return {
    async send(mail, attachments) {
      await transport.sendMail({ ...messageOf(mail, attachments), signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
    },
  };
}

/** Name of a message's file: the same for every attempt, and not met again when ids start anew in another database. */
export const outboxFileName = ({ id, createdAt }: Pick<Mail, "id" | "createdAt">): string =>
  `${createdAt.replace(/[-:.]/g, "")}-${id}.eml`;

/** Writes messages to `directory`; a message that is there already, from before a crash, is not written again. */
export function outboxTransport(directory: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    async send(mail, attachments) {
      const file = join(directory, outboxFileName(mail));
      const isThere = await access(file).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      const { message } = await transport.sendMail(messageOf(mail, attachments));
      if (!Buffer.isBuffer(message)) throw new Error("The message could not be composed.");
      await writeFileAtomically(file, message);
    },
  };
}

/** The transport that the environment asks for: SMTP_URL, else `DATA_DIR/outbox`. */
export function configuredTransport(): MailTransport {
  const { smtpUrl, dataDir } = getEnv();
  return smtpUrl ? smtpTransport(smtpUrl) : outboxTransport(join(dataDir, "outbox"));
}
