import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type PurchaseDraft } from "~/domain/certificates/drafts.schema";
import { loadDraft, purchaseWizard, startDraft, type Draft } from "~/domain/certificates/drafts.service.server";
import { hasStateFor, type PurchaseStep } from "~/domain/certificates/purchase.policy";
import { log } from "~/lib/log.server";
import { paths, type CertificateWizard } from "~/lib/paths";

/** The draft's id in a step's URL; null when there is none or it is no id. */
export function draftIdOf(request: Request): string | null {
  const id = new URL(request.url).searchParams.get("draft") ?? "";
  return /^[\w-]{22}$/.test(id) ? id : null;
}

/** What a step's loader and action are called with. */
export interface StepRequest {
  request: Request;
  /** Remix's load context, for the log. */
  context?: unknown;
  user: SessionUser;
  wizard: CertificateWizard;
}

/**
 * The user's own draft with everything that this step builds on. Else a redirect is thrown: to the start, which makes a draft where
 * there is none, or to the order that the draft became.
 */
export async function requireDraft(
  { request, user, wizard }: StepRequest,
  step: PurchaseStep,
): Promise<Draft<PurchaseDraft>> {
  const draft = await loadDraft(purchaseWizard, user.id, draftIdOf(request));
  if (!draft && step === "contact-details")
    throw redirect(paths.certificateWizard(wizard, step, await startDraft(purchaseWizard, user.id)));
  if (!draft) throw redirect(paths.certificateWizard(wizard, "contact-details"));
  if (draft.orderId !== null) throw redirect(paths.certificateWizard(wizard, "order-complete", draft.id));
  if (hasStateFor(step, draft.data)) return draft;
  if (step === "invoice-address") log().warn({ userId: user.id }, "incomplete data at the invoice step"); // B §8
  throw redirect(paths.certificateWizard(wizard, "contact-details", draft.id));
}
