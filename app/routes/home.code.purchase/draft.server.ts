import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type PurchaseStep } from "~/domain/certificates/purchase/purchase.policy";
import { codeWizard, hasCodeStateFor, type CodePurchase } from "~/domain/codes/purchase/draft.server";
import { loadDraft, startDraft, type Draft } from "~/domain/drafts/drafts.service.server";
import { draftIdOf, toStart } from "~/http/draft-id.server";
import { leadElsewhere } from "~/http/elsewhere.server";
import { log } from "~/lib/log.server";
import { paths } from "~/lib/paths";

/**
 * Returns the user's own draft with everything that this step needs. Otherwise throws a redirect: to the start, or to the order that the
 * draft became.
 */
export async function requireDraft(
  request: Request,
  user: SessionUser,
  step: PurchaseStep,
): Promise<Draft<CodePurchase>> {
  const draftId = draftIdOf(request);
  const draft = await loadDraft(codeWizard, user.id, draftId);
  if (!draft && draftId !== null) await leadElsewhere(request, user, `code-purchase.${draftId}`, paths.codes);
  if (!draft)
    throw await toStart(request, step, async (isNew) =>
      paths.codePurchase("contact-details", isNew ? await startDraft(codeWizard, user.id) : undefined),
    );
  if (draft.orderId !== null) throw redirect(paths.codePurchase("order-complete", draft.id));
  if (hasCodeStateFor(step, draft.data)) return draft;
  if (step === "invoice-address") log().warn({ userId: user.id }, "incomplete data at the invoice step"); // PUR-01
  throw redirect(paths.codePurchase("contact-details", draft.id));
}
