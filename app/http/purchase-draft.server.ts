import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { purchaseWizard, renewalWizard } from "~/domain/certificates/purchase/wizards.server";
import { loadDraft, startDraft } from "~/domain/drafts/drafts.service.server";
import { findOpenOrder, type OpenOrder } from "~/domain/certificates/purchase/open-order.server";
import { hasStateFor, type PurchaseStep } from "~/domain/certificates/purchase/purchase.policy";
import { log } from "~/lib/log.server";
import { paths, type CertificateWizard } from "~/lib/paths";
import { redirectWithToast } from "./flash.server";

const WIZARDS = { purchase: purchaseWizard, renew: renewalWizard } as const;

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

const ENDED =
  "There is no such open order. An order that is not completed is kept for 7 days after its last change. Please begin again.";

/** Redirects to where a wizard begins, and says why when the address names a draft that this user does not have (any more). */
export async function toStart(request: Request, step: PurchaseStep, begin: StartOf): Promise<Response> {
  const isEnded = draftIdOf(request) !== null;
  const url = await begin(isEnded || step === "contact-details");
  return isEnded ? redirectWithToast(request, url, { kind: "warn", text: ENDED }) : redirect(url);
}

/** Where a wizard begins; `isNew`: with a new draft. */
type StartOf = (isNew: boolean) => Promise<string>;

/** A purchase begins with a draft, a renewal with the choice of a certificate (B §2). */
const startOf =
  ({ user, wizard }: StepRequest): StartOf =>
  async (isNew) => {
    if (wizard === "renew") return paths.certificates;
    const draft = isNew ? await startDraft(purchaseWizard, user.id) : undefined;
    return paths.certificateWizard(wizard, "contact-details", draft);
  };

/**
 * The user's own order with everything that this step builds on. Else a redirect is thrown: to the start of the wizard, to the order that
 * the draft became, or to the list, which says why the certificate cannot be renewed any more.
 */
export async function requireOrder(open: StepRequest, step: PurchaseStep): Promise<OpenOrder> {
  const { request, user, wizard } = open;
  const read = () => loadDraft(WIZARDS[wizard], user.id, draftIdOf(request));
  const draft = await read();
  if (!draft) throw await toStart(request, step, startOf(open));
  const done = () => redirect(paths.certificateWizard(wizard, "order-complete", draft.id));
  if (draft.orderId !== null) throw done();
  const order = await findOpenOrder(user, draft);
  if (!order) throw redirect(paths.certificates);
  if (order.barrier) {
    if ((await read())?.orderId) throw done(); // pressed twice: the pending renewal is this draft's own
    throw await redirectWithToast(request, paths.certificates, { kind: "warn", text: order.barrier });
  }
  if (hasStateFor(step, draft.data, order.original)) return order;
  if (step === "invoice-address") log().warn({ userId: user.id }, "incomplete data at the invoice step"); // B §8
  throw redirect(paths.certificateWizard(wizard, "contact-details", draft.id));
}
