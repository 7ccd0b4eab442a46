import { type SessionUser } from "~/domain/accounts/session-user";
import { personName } from "~/domain/companies/people.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { type Draft } from "~/domain/drafts/drafts.service.server";
import { formatDate, formatDateTime } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { findDraftElsewhere, listHandedOver } from "~db/repositories/drafts.server";
import { findUserById } from "~db/repositories/users.server";
import { type PurchaseDraft } from "../purchase/drafts.schema";
import { renewalWizard } from "../purchase/wizards.server";

/** Returns the open drafts that were handed over in a company, each with the certificate that it renews. */
export async function listHandedOverRenewals(db: DbOrTrx, companyId: number, now: Date) {
  const rows = await listHandedOver(db, { companyId, kind: renewalWizard.kind }, now);
  return rows.map(({ data, ...row }) => ({ ...row, data: renewalWizard.schema.parse(JSON.parse(data)) }));
}

/**
 * Throws a PortalError when the renewal of a certificate was handed over already and waits. Whoever prepared it can change that one, and
 * two of them would be two orders to choose from.
 *
 * @param draftId The draft that is handed over now, which may have been handed over before.
 */
export async function requireNotPrepared(
  db: DbOrTrx,
  user: SessionUser,
  certificateId: number,
  { draftId, now }: { draftId: string | null; now: Date },
): Promise<void> {
  const open = await listHandedOverRenewals(db, user.companyId, now);
  const other = open.find(({ id, data }) => id !== draftId && data.renews === certificateId);
  if (!other) return;
  const who = other.userId === user.id ? "You have" : `${personName(other)} has`;
  const text = `${who} prepared the renewal of this certificate already, on ${formatDateTime(other.handedOverAt)}. It waits for an owner or purchaser until ${formatDate(other.expiresAt)}. To change it, open it above the list of certificates.`;
  throw new PortalError(text, { code: "certificate.renew", field: "id" });
}

/** Returns who prepared a draft that was handed over and when, or null. */
export async function preparationOf({ userId, handedOverAt }: Draft<PurchaseDraft>) {
  const person = handedOverAt === null ? null : await findUserById(getDb(), userId);
  return person && { by: personName(person), at: handedOverAt };
}

/**
 * Returns the company of a user's in which this draft of a renewal is, when that is another one than the company in which they work now and
 * they may open the draft there. Otherwise returns null.
 */
export async function findElsewhere(user: SessionUser, draftId: string | null) {
  if (draftId === null || !/^[\w-]{22}$/.test(draftId)) return null;
  const found = await findDraftElsewhere(getDb(), { id: draftId, userId: user.id, kind: renewalWizard.kind });
  if (!found || !mayAsMember(found, "prepare-renewals")) return null;
  return { companyId: found.companyId, company: found.company, draftId };
}
