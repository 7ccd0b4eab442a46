import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { formatDate } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";
import { partnerWords } from "./partner-view.server";
import { lockForPartners, requireVisibleCertificate } from "./partners.service.server";
import { type ReachedPartner } from "./reach.server";
import { listWaiting, sendToWaiting, senderWords, withinLimits } from "./sending.server";

const refusal = (message: string, field?: string) =>
  new PortalError(message, { code: "certificate.publish", ...(field && { field }) });

const UNCONFIRMED =
  "Please confirm your own email address first. Until then, we do not write to addresses that you name.";

const NOBODY = "There is nobody to write to: each partner has the message already, cannot be reached, or wants none.";

/**
 * Throws a PortalError for the field `cutOverOn` unless the day is empty, or today or later and before the end of the certificate that is
 * replaced, or of this one when it replaces none.
 */
async function requireCutOver(row: CertificateRow, day: string, now: Date): Promise<void> {
  if (day === "") return;
  if (day < now.toISOString().slice(0, 10)) throw refusal("The planned switch cannot be in the past.", "cutOverOn");
  const previous =
    row.previousCertificateId === null ? null : await findCertificate(getDb(), row.previousCertificateId);
  const isLate = ({ expiryDate }: CertificateRow) => expiryDate !== null && day > expiryDate.slice(0, 10);
  if (isLate(row))
    throw refusal(
      `The planned switch must be before the certificate ends, on ${formatDate(row.expiryDate)}.`,
      "cutOverOn",
    );
  if (previous && Date.parse(previous.expiryDate ?? "") > now.getTime() && isLate(previous))
    throw refusal(
      `The planned switch must be before the previous certificate ends, on ${formatDate(previous.expiryDate)}.`,
      "cutOverOn",
    );
}

/** Throws a PortalError when the user's own address is not confirmed. */
export function requireOwnAddress({ emailVerified }: Pick<SessionUser, "emailVerified">): void {
  if (!emailVerified) throw refusal(UNCONFIRMED);
}

/** Throws a PortalError unless the user may publish this certificate. Returns the certificate and who gets a message. */
export async function preparePublication(
  user: SessionUser,
  id: number,
  { cutOverOn }: { cutOverOn: string },
  now = new Date(),
): Promise<{ row: CertificateRow; waiting: ReachedPartner[]; words: string[] }> {
  requireNoImpersonation(user, "what is sent to partners");
  await requireVisibleCertificate(user, id);
  const row = await inTransaction((trx) => lockForPartners(trx, user, id));
  requireOwnAddress(user);
  await requireCutOver(row, cutOverOn, now);
  const waiting = await listWaiting(getDb(), id);
  if (waiting.length === 0) throw refusal(NOBODY);
  return { row, waiting, words: waiting.map(({ partner }) => partnerWords(partner)) };
}

/** What came of a publication: how many got a message, and who did not because of the limits. */
export interface Published {
  sent: number;
  /** The partners who have got too many messages today, or for whom the company has none left, in words. */
  limited: string[];
}

/**
 * Publishes a certificate to its partners: each who has no message yet gets one, with a link to a page. Partners who have had too many
 * messages of this kind today get none, and the certificate can be published to them later. Throws a PortalError (404) when the certificate
 * is missing or belongs to somebody else, (403) when the user may not, and for the field `cutOverOn` when that day is wrong.
 */
export async function publishToPartners(
  user: SessionUser,
  id: number,
  form: { cutOverOn: string },
  now = new Date(),
): Promise<Published> {
  const { row, waiting } = await preparePublication(user, id, form, now);
  const { allowed, limited } = await withinLimits(row.companyId, waiting);
  if (allowed.size === 0)
    throw new PortalError(`Nothing was sent: there were too many messages today to ${limited.join(", ")}.`, {
      code: "certificate.publish",
      status: 429,
      retryAfter: 3600,
    });
  return inTransaction(async (trx) => {
    const certificate = await lockForPartners(trx, user, id);
    const sender = { id: user.id, actor: user.actor, words: senderWords(user) };
    const told = await sendToWaiting(trx, certificate, { allowed, sender, cutOverOn: form.cutOverOn }, now);
    return { sent: told.length, limited };
  });
}
