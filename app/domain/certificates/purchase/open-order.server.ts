import { type SessionUser } from "~/domain/accounts/session-user";
import { type Draft } from "~/domain/drafts/drafts.service.server";
import { getConfig } from "~/lib/config.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { type Barrier } from "../certificates.policy";
import { findOriginal, type Original } from "../succession/original.server";
import { renewalBarrier } from "../succession/renewal.policy";
import { withSuccessors } from "../succession/successors.server";
import { type PurchaseDraft } from "./drafts.schema";

/** An order that is still in its steps: the draft, and the certificate that it renews, if any. */
export interface OpenOrder {
  draft: Draft<PurchaseDraft>;
  original: Original | null;
}

/** Returns why this user cannot renew the certificate now, or null. */
export async function whyNotRenewed(
  db: DbOrTrx,
  user: SessionUser,
  certificate: Pick<CertificateRow, "id" | "companyId" | "status" | "expiryDate" | "authorityId">,
  now: Date,
): Promise<Barrier> {
  const [candidate] = await withSuccessors([certificate], db);
  return candidate ? renewalBarrier(user, candidate, getConfig().certificates, now) : null;
}

/**
 * Returns a draft with the certificate that it renews, or null when that certificate is missing. `barrier` says why the certificate cannot
 * be renewed any more.
 */
export async function findOpenOrder(
  user: SessionUser,
  draft: Draft<PurchaseDraft>,
  now = new Date(),
): Promise<(OpenOrder & { barrier: Barrier }) | null> {
  const { renews } = draft.data;
  if (renews === undefined) return { draft, original: null, barrier: null };
  const original = await findOriginal(getDb(), renews, now);
  return original && { draft, original, barrier: await whyNotRenewed(getDb(), user, original.row, now) };
}
