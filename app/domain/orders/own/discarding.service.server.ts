import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { purchaseWizard, renewalWizard } from "~/domain/certificates/purchase/wizards.server";
import { discardedRenewal } from "~/domain/certificates/succession/ended-renewals.server";
import { codeWizard } from "~/domain/codes/purchase/draft.server";
import { PortalError } from "~/lib/errors";
import { deleteOpenDrafts, lockDraft } from "~db/repositories/drafts.server";
import { inTransaction } from "~db/transaction.server";

/** The orders that can be unfinished, by the name of their wizard. */
const KINDS = { purchase: purchaseWizard.kind, renew: renewalWizard.kind, codes: codeWizard.kind } as const;

export type Unfinished = keyof typeof KINDS;

export const isUnfinished = (name: unknown): name is Unfinished =>
  typeof name === "string" && Object.hasOwn(KINDS, name);

const GONE = "This order was completed or discarded already.";

/**
 * Discards an order of this user that is not complete. Only who began it can: a renewal that was handed over is the work of its preparer, and
 * colleagues who do not order it let it end. Throws a PortalError (409) when it was ordered or discarded meanwhile, or is somebody else's.
 */
export const discardUnfinished = (user: SessionUser, kind: Unfinished, id: string, now = new Date()): Promise<void> =>
  inTransaction(async (trx) => {
    const draft = await lockDraft(trx, { id, userId: user.id, kind: KINDS[kind] }, now);
    if (draft?.userId !== user.id) throw new PortalError(GONE, { code: "order.discarded", status: 409 });
    await deleteOpenDrafts(trx, [id]);
    const renewal = kind === "renew" ? await discardedRenewal(trx, user, draft) : null;
    const message = "Discarded an order that was not complete.";
    const entry = renewal ?? { event: "order.discarded", message, userId: user.id, reference: id };
    await recordAudit(trx, { actor: user.actor, ...entry }, now);
  });
