import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { DAY } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { serverPaths } from "~/lib/server-paths.server";
import { type Trx } from "~db/connection.server";
import { countToOwner, findContactStop } from "~db/repositories/held-mails.server";
import { insertMails } from "~db/repositories/mails.server";
import { issueToken } from "~db/repositories/tokens.server";
import { findUserById, lockEmail, type UserRow } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";
import { type ComposedMail, guardedMail, type LaidOutMail } from "./compose.server";
import { type DirectMailKind, kindOf, type MailKind, MAIL_KINDS, SECURITY_KINDS } from "./kinds";

/**
 * The maximum number of messages a day to an account's own unconfirmed address, and the same number for messages about the account's
 * security. Links that confirm the address are not counted. Further messages wait for the confirmation, because the address may belong to a
 * stranger.
 */
export const UNCONFIRMED_A_DAY = 3;

const isAboutSecurity = (dedupeKey: string) => SECURITY_KINDS.some((kind) => kind === kindOf(dedupeKey));

/** How many days a contact can use the link in a message to stop further ones. */
const STOP_LINK_DAYS = 400;

interface Queued<Kind extends MailKind> {
  /** The key of the message, such as `order-confirmation:1001`. A key is queued only once, whatever is tried again. */
  dedupeKey: `${Kind}:${string}`;
  orderId?: number | null;
  /** The invoice whose PDF is attached. */
  invoiceId?: number | null;
}

export interface DirectMail extends Queued<DirectMailKind> {
  /** One email address. */
  to: string;
  mail: LaidOutMail;
}

type Recipient = Pick<NewRow<"mails">, "recipient" | "awaitsUserId" | "isContact" | "stopUrl">;

const rowOf = (
  { dedupeKey, orderId, invoiceId }: Queued<MailKind>,
  { subject, text, html }: LaidOutMail,
  recipient: Recipient,
  now: Date,
): NewRow<"mails"> => ({
  dedupeKey,
  ...recipient,
  subject,
  text,
  html,
  orderId: orderId ?? null,
  invoiceId: invoiceId ?? null,
  createdAt: now,
  nextAttemptAt: now,
});

/** Adds a message to the queue. Does nothing when its key exists already. */
const insert = (
  trx: Trx,
  queued: Queued<MailKind>,
  mail: LaidOutMail,
  recipient: Recipient,
  now: Date,
): Promise<void> => insertMails(trx, [rowOf(queued, mail, recipient, now)]);

/** Queues a message that is sent whoever reads the address, in the transaction of the change that it is about. */
export const queueMail = (trx: Trx, { to, mail, ...queued }: DirectMail, now = new Date()): Promise<void> =>
  insert(trx, queued, mail, { recipient: to }, now);

export interface OwnMail extends Queued<Exclude<MailKind, DirectMailKind>> {
  mail: ComposedMail;
}

async function getAccount(trx: Trx, userId: number, { dedupeKey }: Queued<MailKind>): Promise<UserRow> {
  const account = await findUserById(trx, userId);
  if (!account) throw new Error(`There is no account ${userId} for the message ${dedupeKey}.`);
  return account;
}

/** A message to an account's own address, and the account as the transaction has just read it. */
export interface AccountMail extends OwnMail {
  account: UserRow;
}

/** Queues a message to an address that is not confirmed. */
async function queueUnconfirmed(trx: Trx, { account, mail, ...queued }: AccountMail, now: Date): Promise<void> {
  const { id, email } = account;
  await lockEmail(trx, email); // When several messages are queued at once, each one counts the others.
  const since = new Date(now.getTime() - DAY);
  const counted = isAboutSecurity(queued.dedupeKey)
    ? { only: SECURITY_KINDS }
    : { without: ["verify-email", ...SECURITY_KINDS] };
  const sent = await countToOwner(trx, email, since, counted);
  const awaitsUserId = sent < UNCONFIRMED_A_DAY ? null : id;
  await insert(trx, queued, guardedMail(mail), { recipient: email, awaitsUserId }, now);
}

/** Queues messages to accounts' own addresses as `queueOwnMail` does. Those to confirmed addresses take one statement. */
export async function queueToAccounts(trx: Trx, messages: readonly AccountMail[], now: Date): Promise<void> {
  const isConfirmed = ({ account }: AccountMail) => account.emailVerifiedAt !== null;
  const rows = messages
    .filter(isConfirmed)
    .map(({ account, mail, ...queued }) =>
      rowOf(queued, mail, { recipient: account.email, stopUrl: mail.content.stop?.url ?? null }, now),
    );
  await insertMails(trx, rows);
  for (const message of messages) if (!isConfirmed(message)) await queueUnconfirmed(trx, message, now);
}

/**
 * Queues a message to an account's own address, in the transaction of the change that it is about. While the address is not confirmed, only
 * a few are sent a day; the others are sent after the confirmation.
 */
export async function queueOwnMail(trx: Trx, userId: number, own: OwnMail, now = new Date()): Promise<void> {
  await queueToAccounts(trx, [{ ...own, account: await getAccount(trx, userId, own) }], now);
}

export interface ContactMail extends OwnMail {
  /** The address that the customer named. */
  to: string;
  orderId: number;
}

/** Records in the audit trail, for staff, why a message was not sent. */
async function recordNotSent(trx: Trx, account: UserRow, { dedupeKey, to, orderId }: ContactMail, now: Date) {
  const [kind = ""] = dedupeKey.split(":");
  const title = MAIL_KINDS[kind as MailKind].title.toLowerCase();
  const message = `The message '${title}' to ${to} was not sent: the address wants no more messages as a contact.`;
  const entry = { actor: systemActor("mail"), event: "mail.not-sent", message, userId: account.id, orderId };
  await recordAudit(trx, entry, now);
}

/** Returns the address where the reader of a message can stop further ones. */
async function stopUrlFor(trx: Trx, link: { email: string; orderId?: number }, now: Date): Promise<string> {
  const token = await issueToken(trx, { ...link, purpose: "stop-contact", lifetimeMs: STOP_LINK_DAYS * DAY }, now);
  return getEnv().publicUrl + serverPaths.noMoreMessages(token);
}

/**
 * Queues a message to a mailbox that may be a stranger's, named by somebody whose own address is confirmed, in the transaction of the change
 * that it is about. It says how to stop further messages. Whoever has stopped them must not be written to.
 */
export async function queueToStranger(
  trx: Trx,
  { to, mail, ...queued }: Omit<DirectMail, "mail"> & { mail: ComposedMail },
  now = new Date(),
): Promise<void> {
  const stopUrl = await stopUrlFor(trx, { email: to.toLowerCase() }, now);
  await insert(trx, queued, guardedMail(mail, stopUrl), { recipient: to, isContact: true, stopUrl }, now);
}

/**
 * Queues a message to somebody whom a customer named, in the transaction of the change that it is about. It is sent when the customer's own
 * address is confirmed, and says how to stop further messages. When the address has stopped them, only requests to authorise are queued;
 * they wait until staff allow messages again. The customer's own address does not count as a contact.
 */
export async function queueContactMail(
  trx: Trx,
  userId: number,
  contact: ContactMail,
  now = new Date(),
): Promise<void> {
  const account = await getAccount(trx, userId, contact);
  const { to, mail, ...queued } = contact;
  const email = to.toLowerCase();
  if (email === account.email.toLowerCase()) return queueToAccounts(trx, [{ ...queued, mail, account }], now);
  const isRequest = contact.dedupeKey.startsWith("authorisation-request:");
  if (!isRequest && (await findContactStop(trx, email))) return recordNotSent(trx, account, contact, now);
  const stopUrl = await stopUrlFor(trx, { email, orderId: contact.orderId }, now);
  const awaitsUserId = account.emailVerifiedAt === null ? account.id : null;
  await insert(trx, queued, guardedMail(mail, stopUrl), { recipient: to, awaitsUserId, isContact: true, stopUrl }, now);
}
