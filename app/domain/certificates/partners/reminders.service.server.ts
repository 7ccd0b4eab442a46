import { systemActor } from "~/domain/audit/audit.service.server";
import { addDays } from "~/lib/dates";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import {
  findPublication,
  listCertificatesToRemind,
  listPartners,
  listPartnersToRemind,
  storeReminderLink,
} from "~db/repositories/certificate-partners.server";
import { findCertificate } from "~db/repositories/certificates.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { findUserById } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { USABLE } from "../certificates.policy";
import { partnerWords } from "./partner-view.server";
import { MOST_REMINDERS, REMINDED_AFTER_DAYS } from "./partners-fields";
import { recordPartners } from "./partners.service.server";
import { type ReachedPartner, reachPartners } from "./reach.server";
import { aboutCertificate, isReached, queueToPartner, senderWords, withinLimits } from "./sending.server";

const ACTOR = systemActor("partners");

/** How many certificates are read at once. */
const BATCH = 100;

const dueAt = (now: Date) => ({ before: addDays(now, -REMINDED_AFTER_DAYS), most: MOST_REMINDERS });

/** Returns the partners of a certificate who are due for a reminder, can be reached and want messages. */
async function listUnanswered(db: DbOrTrx, certificateId: number, now: Date): Promise<ReachedPartner[]> {
  const due = await listPartnersToRemind(db, certificateId, dueAt(now));
  const partners = (await listPartners(db, certificateId)).filter(({ id }) => due.includes(id));
  return (await reachPartners(db, partners)).filter(({ address, isStopped }) => address !== null && !isStopped);
}

/** Returns how a reminder names whoever published a certificate, or "" for somebody who cannot log in any more. */
async function publisherOf(trx: Trx, publishedBy: number | undefined): Promise<string> {
  const user = publishedBy === undefined ? null : await findUserById(trx, publishedBy);
  return user && !user.isDisabled ? senderWords(user) : "";
}

/** Reminds the partners of a certificate who are due. Returns how many were reminded. */
async function remindOf(certificateId: number, now: Date): Promise<number> {
  const found = await findCertificate(getDb(), certificateId);
  if (!found) return 0;
  const { allowed } = await withinLimits(found.companyId, await listUnanswered(getDb(), certificateId, now));
  if (allowed.size === 0) return 0;
  return inTransaction(async (trx) => {
    const row = await lockCertificate(trx, certificateId);
    if (!row || !USABLE.includes(row.status)) return 0;
    const publication = await findPublication(trx, certificateId);
    const by = await publisherOf(trx, publication?.publishedBy);
    const about = await aboutCertificate(trx, row, { by, cutOverOn: publication?.cutOverOn ?? "" });
    const names = [];
    for (const one of await listUnanswered(trx, certificateId, now)) {
      if (!isReached(one, allowed)) continue;
      const store = (linkHash: string) => storeReminderLink(trx, one.partner.id, linkHash, now);
      await queueToPartner(trx, one, { ...about, isReminder: true }, store, now);
      names.push(partnerWords(one.partner));
    }
    if (names.length === 0) return 0;
    const message = `Reminded ${names.length} partners of the certificate for ${row.commonName}: ${names.join(", ")}.`;
    await recordPartners(trx, row, { actor: ACTOR, event: "certificate.partners-reminded", message }, now);
    return names.length;
  });
}

/**
 * Reminds partners who have not answered REMINDED_AFTER_DAYS days after the last message about a certificate in force, each at most MOST_REMINDERS
 * times. Whoever has got too many of these messages today is reminded by a later run. Returns how many were reminded.
 */
export async function remindPartners(now: Date): Promise<number> {
  let count = 0;
  let after = 0;
  for (;;) {
    const portion = { after, limit: BATCH, statuses: USABLE };
    const ids = await listCertificatesToRemind(getDb(), { now, ...dueAt(now) }, portion);
    for (const id of ids) count += await remindOf(id, now);
    after = ids.at(-1) ?? 0;
    if (ids.length < BATCH) return count;
  }
}
