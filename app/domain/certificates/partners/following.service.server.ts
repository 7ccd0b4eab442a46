import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { systemActor } from "~/domain/audit/audit.service.server";
import { recipientFor } from "~/domain/companies/recipient.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { type ComposedMail } from "~/domain/mail/compose.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { partnersNotPublishedMail, partnersPublishedMail } from "~/domain/mail/templates/partners.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { addDays } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import {
  deletePartnerSettings,
  endPublicationDue,
  findPartnerSettings,
  listPublicationsDue,
  storePartnerSettings,
} from "~db/repositories/certificate-partners.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findRole } from "~db/repositories/companies.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { findUserById, type UserRow } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { USABLE } from "../certificates.policy";
import { lockForPartners, recordPartners, requireVisibleCertificate } from "./partners.service.server";
import { requireOwnAddress } from "./publishing.service.server";
import { listWaiting, type PartnerSender, sendToWaiting, senderWords, withinLimits } from "./sending.server";

/**
 * Chooses whether the next renewal or replacement of a certificate is published to its partners by itself as soon as it is issued, and how
 * many days later its switch is planned; null for no. The choice moves to that renewal and counts for the next one, too.
 *
 * Throws a PortalError (404) when the certificate is missing or belongs to somebody else, (403) when the user may not tell its partners, and
 * another one when the user's own address is not confirmed.
 */
export async function setPartnersOfRenewals(
  user: SessionUser,
  id: number,
  switchDays: number | null,
  now = new Date(),
): Promise<void> {
  requireNoImpersonation(user, "what is sent to partners");
  await requireVisibleCertificate(user, id);
  await inTransaction(async (trx) => {
    const row = await lockForPartners(trx, user, id);
    const before = (await findPartnerSettings(trx, id))?.switchDays ?? null;
    if (switchDays === before) return;
    if (switchDays === null) await deletePartnerSettings(trx, id);
    else {
      requireOwnAddress(user);
      await storePartnerSettings(trx, { certificateId: id, switchDays, setBy: user.id, setAt: now });
    }
    const what =
      switchDays === null
        ? "are published to partners by somebody"
        : `are published to partners by themselves, with the switch planned ${switchDays} days after the issue`;
    const message = `Renewals of the certificate for ${row.commonName} ${what}.`;
    await recordPartners(trx, row, { actor: user.actor, event: "certificate.partners-of-renewals", message }, now);
  });
}

const ACTOR = systemActor("partners");

/** How many renewals are published in one run. */
const BATCH = 100;

const canSend = ({ emailVerifiedAt, isDisabled }: UserRow): boolean => emailVerifiedAt !== null && !isDisabled;

/**
 * Returns in whose name a renewal is published by itself: whoever chose it, while this person may tell the company's partners, otherwise
 * whoever gets the messages about the certificate. Returns null when neither has a confirmed address.
 */
async function senderOf(trx: Trx, row: CertificateRow, setBy: number): Promise<PartnerSender | null> {
  const chooser = await findUserById(trx, setBy);
  const role = await findRole(trx, { companyId: row.companyId, userId: setBy });
  const mayTell = chooser && mayAsMember({ isApplicant: chooser.isApplicant, role }, "tell-partners");
  const sender = mayTell && canSend(chooser) ? chooser : await recipientFor(trx, row);
  return canSend(sender) ? { id: sender.id, actor: ACTOR, words: senderWords(sender) } : null;
}

/** Returns the day of the planned switch, `yyyy-MM-dd`: so many days from now, but not after the end of either certificate. */
async function plannedSwitch(db: DbOrTrx, row: CertificateRow, days: number, now: Date): Promise<string> {
  const previous = row.previousCertificateId === null ? null : await findCertificate(db, row.previousCertificateId);
  const ends = [row.expiryDate, previous?.expiryDate ?? null].filter(
    (end) => end !== null && Date.parse(end) > now.getTime(),
  );
  const planned = addDays(now, days).toISOString();
  return [planned, ...ends].map((day) => String(day).slice(0, 10)).toSorted()[0] ?? "";
}

const NOBODY_TOLD = {
  limited: "Your company, or these partners, have had too many of these messages today.",
  sender: "Nobody whose name the messages could give has a confirmed email address.",
};

/** Publishes one renewal that is due, and tells the owner what came of it. Returns whether it was sent to somebody. */
async function publishRenewal(id: number, now: Date): Promise<boolean> {
  const found = await findCertificate(getDb(), id);
  if (!found) return false;
  const waiting = await listWaiting(getDb(), id);
  const { allowed, limited } = await withinLimits(found.companyId, waiting);
  return inTransaction(async (trx) => {
    const row = await lockCertificate(trx, id);
    const settings = await findPartnerSettings(trx, id);
    if (!row || !settings || settings.dueAt === null) return false;
    await endPublicationDue(trx, id);
    if (waiting.length === 0 || !USABLE.includes(row.status)) return false;
    const owner = await recipientFor(trx, row);
    const { commonName } = row;
    const about = { name: owner.firstName, commonName, url: getEnv().publicUrl + certificatePaths.partners(id) };
    const tell = (mail: ComposedMail) =>
      queueOwnMail(trx, owner.id, { dedupeKey: `partners-published:${id}`, mail }, now);
    const sender = await senderOf(trx, row, settings.setBy);
    if (sender === null || allowed.size === 0) {
      const why = sender === null ? NOBODY_TOLD.sender : NOBODY_TOLD.limited;
      await tell(partnersNotPublishedMail({ ...about, why }));
      return false;
    }
    const cutOverOn = await plannedSwitch(trx, row, settings.switchDays, now);
    const told = await sendToWaiting(trx, row, { allowed, sender, cutOverOn }, now);
    await tell(partnersPublishedMail({ ...about, told, limited, cutOverOn }));
    return told.length > 0;
  });
}

/**
 * Publishes the renewals that were issued since the last run to their partners, where the company has chosen so. Each is tried once: whoever is
 * left out because of the limits stays a partner without a message. Returns how many were published.
 */
export async function publishRenewals(now: Date): Promise<number> {
  let count = 0;
  for (const id of await listPublicationsDue(getDb(), BATCH)) if (await publishRenewal(id, now)) count += 1;
  return count;
}
