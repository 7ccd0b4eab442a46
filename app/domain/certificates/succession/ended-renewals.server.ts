import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { personName } from "~/domain/companies/people.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { findEntryByReference } from "~db/repositories/audit-entries.server";
import { findCertificate } from "~db/repositories/certificates.server";
import { findRole } from "~db/repositories/companies.server";
import { deleteOpenDrafts } from "~db/repositories/drafts.server";
import { findUserById } from "~db/repositories/users.server";
import { preparersOf } from "../purchase/preparers.server";
import { renewalWizard } from "../purchase/wizards.server";
import { listHandedOverRenewals } from "./handed-over.server";

/** A renewal that was handed over and not ordered, and the certificate that it renews. */
export interface WaitingRenewal {
  draftId: string;
  certificateId: number;
  orderId: number;
  commonName: string;
}

/** Returns the renewals that wait in a company and that this member has prepared, alone or with others. */
export async function listRenewalsBy(
  db: DbOrTrx,
  { companyId, userId }: { companyId: number; userId: number },
  now: Date,
): Promise<WaitingRenewal[]> {
  const found: WaitingRenewal[] = [];
  for (const draft of await listHandedOverRenewals(db, companyId, now)) {
    const isTheirs = draft.userId === userId || (await preparersOf(db, draft)).some((one) => one.userId === userId);
    const certificate = isTheirs && draft.data.renews ? await findCertificate(db, draft.data.renews) : null;
    if (!certificate) continue;
    const { id: certificateId, orderId, commonName } = certificate;
    found.push({ draftId: draft.id, certificateId, orderId, commonName });
  }
  return found;
}

/** Somebody's prepared renewal ended. The entry is about that person and the certificate; its reference is the id of the draft. */
const ENDED = "renewal.ended";

/**
 * Ends renewals that a member has prepared, unless they were ordered meanwhile: the key is that member's, who may not prepare any more. The
 * audit trail says why, and so does the page of the renewal (`whyRenewalEnded`).
 *
 * @param why What has become of the member, such as `is no longer a member of Example Parts Ltd`.
 */
export async function endRenewals(
  trx: Trx,
  renewals: readonly WaitingRenewal[],
  { actor, member, why }: { actor: Actor; member: { id: number; email: string }; why: string },
  now: Date,
): Promise<void> {
  const ended = await deleteOpenDrafts(
    trx,
    renewals.map(({ draftId }) => draftId),
  );
  for (const { draftId: reference, certificateId, orderId, commonName } of renewals) {
    if (!ended.includes(reference)) continue;
    const message = `Ended the prepared renewal of ${commonName}: ${member.email}, who had prepared it, ${why}.`;
    const about = { userId: member.id, certificateId, orderId, reference };
    await recordAudit(trx, { actor, event: ENDED, message, ...about }, now);
  }
}

/** A renewal that was not ordered was discarded by whoever began it. */
const DISCARDED = "renewal.discarded";

/** Returns the audit entry for a renewal that this user discards, or null when its draft names no certificate. */
export async function discardedRenewal(trx: Trx, user: SessionUser, draft: { id: string; data: string }) {
  const { renews } = renewalWizard.schema.parse(JSON.parse(draft.data));
  const certificate = renews === undefined ? null : await findCertificate(trx, renews);
  if (!certificate) return null;
  const { id: certificateId, orderId, commonName } = certificate;
  const message = `Discarded the renewal of ${commonName}, which was not ordered.`;
  return { event: DISCARDED, message, userId: user.id, certificateId, orderId, reference: draft.id };
}

/** Returns what has become of somebody who prepared a renewal, as the end of a sentence. */
async function whatBecameOf(user: SessionUser, userId: number): Promise<string> {
  const isMember = (await findRole(getDb(), { companyId: user.companyId, userId })) !== null;
  return isMember ? "lost the role that this needs" : `is no longer a member of ${user.company}`;
}

/** Returns why a renewal has ended that was handed over in this user's company and not ordered, or null. */
export async function whyRenewalEnded(user: SessionUser, draftId: string | null): Promise<string | null> {
  const found = async (event: string) => (draftId === null ? null : findEntryByReference(getDb(), event, draftId));
  const ended = await found(ENDED);
  const entry = ended ?? (await found(DISCARDED));
  const certificate = entry?.certificateId ? await findCertificate(getDb(), entry.certificateId) : null;
  if (!entry?.userId || certificate?.companyId !== user.companyId || !mayAsMember(user, "prepare-renewals"))
    return null;
  const preparer = await findUserById(getDb(), entry.userId);
  const why = ended ? await whatBecameOf(user, entry.userId) : "discarded it";
  return `The prepared renewal of ${certificate.commonName} has ended, and nothing was ordered: ${preparer ? personName(preparer) : "Somebody"}, who had prepared it, ${why}. Please renew the certificate with a new CSR.`;
}
