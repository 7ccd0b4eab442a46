import { listRevokedIds } from "~/domain/authorities/authorities.service.server";
import { codeOfEnding } from "~/domain/codes/certificates/code-end.server";
import { isOfLeaver, recipientFor } from "~/domain/companies/recipient.server";
import { queueContactMail, queueOwnMail } from "~/domain/mail/queue.service.server";
import { contactReminderMail, expiryReminderMail } from "~/domain/mail/templates/reminders.server";
import { getConfig } from "~/lib/config.server";
import { daysUntil } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { contactUrl } from "~/lib/server-paths.server";
import { type Trx } from "~db/connection.server";
import { claimReminders, type RemindedCertificate } from "~db/repositories/reminders.server";
import { inTransaction } from "~db/transaction.server";
import { whyNotRenew } from "../certificates.policy";
import { parseContact } from "../purchase/contact.schema";
import { namesOfOrder } from "../request/certified-names.server";
import { refusedNamesOf } from "../request/refused-names.server";
import { reminderTimes, remindsContact } from "./reminder.policy";

const BATCH = 200;

/**
 * Queues a reminder to the owner, unless the account is disabled, and from CONTACT_DAYS on to the authentication contact who has not left
 * the company.
 */
async function queueReminder(
  trx: Trx,
  row: RemindedCertificate,
  days: number,
  revoked: ReadonlySet<number>,
  now: Date,
): Promise<void> {
  const owner = await recipientFor(trx, row);
  const expiryDate = row.expiryDate ?? "";
  const contact = parseContact(row.authenticationContact);
  const ownerName = `${owner.firstName} ${owner.lastName}`;
  const common = {
    commonName: row.commonName,
    serialNumber: row.serialNumber ?? "",
    expiryDate,
    daysLeft: daysUntil(expiryDate, now),
    refusedNames: refusedNamesOf({ ...row, names: namesOfOrder(row) }).map(({ message }) => message),
  };
  const dedupeKey = `expiry-reminder:${row.id}:${days}` as const;
  const { orderId } = row;
  if (!owner.isDisabled) {
    const isIssuerRevoked = revoked.has(row.authorityId ?? 0);
    const renewalOpens = whyNotRenew({ ...row, expiryDate, isIssuerRevoked }, getConfig().certificates, now);
    const url = getEnv().publicUrl + paths.certificateDetails(row.id);
    const aboutCode = await codeOfEnding(trx, row, now);
    const mail = expiryReminderMail({ ...common, name: ownerName, renewalOpens, aboutCode, url });
    await queueOwnMail(trx, owner.id, { dedupeKey: `${dedupeKey}:owner`, orderId, mail }, now);
  }
  if (!remindsContact(days) || contact.email.toLowerCase() === owner.email.toLowerCase()) return;
  if (await isOfLeaver(trx, row, contact.email)) return;
  const mail = contactReminderMail({ ...common, ownerName, contactUrl: contactUrl() });
  await queueContactMail(trx, owner.id, { dedupeKey: `${dedupeKey}:contact`, to: contact.email, orderId, mail }, now);
}

/**
 * Queues the due reminder of every certificate that ends soon. Each reminder is sent once, and after missed ones only the latest. Returns
 * how many certificates there were. Safe to repeat and to run in several processes at once: the row of the certificate stores the last
 * reminder, and `dedupeKey` makes each reminder one message, whatever the clock does.
 */
export async function sendExpiryReminders(now = new Date()): Promise<number> {
  let count = 0;
  for (const time of reminderTimes(now)) {
    for (let reminded = BATCH; reminded === BATCH; count += reminded)
      reminded = await inTransaction(async (trx) => {
        const rows = await claimReminders(trx, { ...time, limit: BATCH });
        const revoked = await listRevokedIds(trx);
        for (const row of rows) await queueReminder(trx, row, time.days, revoked, now);
        return rows.length;
      });
  }
  return count;
}
