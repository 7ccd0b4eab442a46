import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTransport, type NodemailerError } from "nodemailer";
import { writeFileAtomically } from "~/lib/atomic-file.server";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { log } from "~/lib/log.server";
import { isLoopback } from "~/lib/web-address";
import { type Mail } from "~db/repositories/mails.server";

/**
 * Sends messages. `send` resolves when the mail server has accepted the message, or when its file is written, and rejects with the reason
 * otherwise.
 */
export interface MailTransport {
  send(mail: Mail, attachments?: readonly MailAttachment[]): Promise<void>;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** The maximum time for one message in milliseconds, including the connection. It is shorter than the queue's lease. */
export const SEND_TIMEOUT_MS = 60_000;

/**
 * Returns the headers by which mail programs offer to stop such messages (RFC 8058). With an https address, one click stops them by a POST;
 * opening the page alone does not.
 */
const stopHeaders = (url: string | null) =>
  url === null
    ? {}
    : {
        "List-Unsubscribe": `<${url}>`,
        ...(url.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
      };

/** Returns the message for nodemailer. The Message-ID is derived from the row, so that receivers recognise a repeated message. */
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
    date: new Date((awaitsUserId !== null && triedAt) || createdAt), // A held message is newer than its row.
    messageId: `<mail-${id}.${Date.parse(createdAt)}@${host}>`,
    headers: { "Auto-Submitted": "auto-generated", ...stopHeaders(stopUrl) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Returns whether the mail server has refused this recipient or this message for good (RFC 5321 §4.2.1): a 5yz answer to RCPT TO or to the
 * message itself. Other refusals concern the session and are fixed at the server or in SMTP_URL: those of every other command, 50z (not
 * understood, out of order) and 53z (RFC 4954: authentication required).
 */
export function isRejection(error: unknown): boolean {
  const { command, responseCode } = error as NodemailerError;
  return ["RCPT TO", "DATA"].includes(command ?? "") && /^5[^03]\d$/.test(String(responseCode));
}

/** The timeouts for a mail server in milliseconds: for the connection, for the greeting, and for silence afterwards. */
const SMTP_PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Returns a transport to the mail server at `url` (smtp:// or smtps://). A server on another machine must offer STARTTLS, unless the
 * address ends with `?requireTLS=false`.
 */
export function smtpTransport(url: string, patience: Partial<typeof SMTP_PATIENCE> = {}): MailTransport {
  const requireTLS = !isLoopback(new URL(url).hostname);
  const transport = createTransport({ url, requireTLS, ...SMTP_PATIENCE, ...patience });
  return {
    async send(mail, attachments) {
      await transport.sendMail({ ...messageOf(mail, attachments), signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
    },
  };
}

/** Returns the name of a message's file. It is the same for every try, and does not repeat when the ids of another database start again. */
export const outboxFileName = ({ id, createdAt }: Pick<Mail, "id" | "createdAt">): string =>
  `${createdAt.replace(/[-:.]/g, "")}-${id}.eml`;

/** Returns the folder of messages that are written to files, because there is no mail server. */
const outboxFolder = () => join(getEnv().dataDir, "outbox");

/** Deletes the files of these messages. Files that are not there are none. Never throws: the reason is logged. */
export async function deleteOutboxFiles(mails: readonly Pick<Mail, "id" | "createdAt">[]): Promise<void> {
  for (const mail of mails)
    await rm(join(outboxFolder(), outboxFileName(mail)), { force: true }).catch((error: unknown) =>
      log().error({ err: error, mail: mail.id }, "the file of an erased message was not deleted"),
    );
}

/** Returns a transport that writes messages to `directory`. A message that exists already, from before a crash, is not written again. */
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

/** Returns the transport that the environment configures: SMTP_URL, or else `DATA_DIR/outbox`. */
export function configuredTransport(): MailTransport {
  const { smtpUrl } = getEnv();
  return smtpUrl ? smtpTransport(smtpUrl) : outboxTransport(outboxFolder());
}
