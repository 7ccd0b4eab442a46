import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findOpenOrder, type OpenOrder } from "~/domain/certificates/purchase/open-order.server";
import { hasStateFor, type PurchaseStep } from "~/domain/certificates/purchase/purchase.policy";
import { purchaseWizard, renewalWizard } from "~/domain/certificates/purchase/wizards.server";
import { whyRenewalEnded } from "~/domain/certificates/succession/ended-renewals.server";
import { findOrderedByOther } from "~/domain/certificates/succession/handed-over.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { loadDraft, startDraft } from "~/domain/drafts/drafts.service.server";
import { draftIdOf, toStart } from "~/http/draft-id.server";
import { leadElsewhere } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { requireUser } from "~/http/guard.server";
import { notFound } from "~/lib/errors";
import { log } from "~/lib/log.server";
import { paths, type CertificateWizard } from "~/lib/paths";

const WIZARDS = { purchase: purchaseWizard, renew: renewalWizard } as const;

const isWizard = (name: string): name is CertificateWizard => Object.hasOwn(WIZARDS, name);

/** The request of a step's loader or action. */
export interface StepRequest {
  request: Request;
  /** The request's load context in Remix, for the log. */
  context?: unknown;
  user: SessionUser;
  wizard: CertificateWizard;
  /** Whether the user only prepares a renewal, and hands it over in place of the invoice address. */
  handsOver: boolean;
}

/**
 * Returns the request of a step. This is the first line of every loader and action of the wizards. Throws a PortalError (404) for an
 * unknown wizard, and otherwise what `requireUser` throws.
 */
export async function requireStep({ request, context, params }: LoaderFunctionArgs): Promise<StepRequest> {
  const wizard = params.wizard?.toLowerCase() ?? ""; // addresses are case-insensitive
  if (!isWizard(wizard)) throw notFound();
  const user = await requireOrderer(request, wizard);
  return { request, context, user, wizard, handsOver: !mayAsMember(user, "place-orders") };
}

const DRAFTS = { purchase: "certificate-purchase", renew: "certificate-renewal" } as const;

/** Throws what `leadElsewhere` throws for the draft of the request. */
async function leadToDraft(request: Request, user: SessionUser, wizard: CertificateWizard): Promise<void> {
  const draftId = draftIdOf(request);
  if (draftId !== null) await leadElsewhere(request, user, `${DRAFTS[wizard]}.${draftId}`);
}

const TASKS = { purchase: "place-orders", renew: "prepare-renewals" } as const;

/** Returns the user who may do the steps of a wizard. Throws what `requireUser` and `leadElsewhere` throw. */
async function requireOrderer(request: Request, wizard: CertificateWizard): Promise<SessionUser> {
  const user = await requireUser(request);
  if (mayAsMember(user, TASKS[wizard])) return user;
  await leadToDraft(request, user, wizard);
  return requireUser(request, TASKS[wizard]);
}

/** Returns the start of a wizard: a draft for a purchase, the choice of a certificate for a renewal (PUR-01, REN-01). */
async function startOf({ user, wizard }: StepRequest, isNew: boolean): Promise<string> {
  if (wizard === "renew") return paths.certificates;
  const draft = isNew ? await startDraft(purchaseWizard, user.id) : undefined;
  return paths.certificateWizard(wizard, "contact-details", draft);
}

/**
 * Returns the user's own order with everything that this step needs. Otherwise throws a redirect: to the start of the wizard, to the order
 * that the draft became, to its certificate when somebody else ordered it, or to the certificate list, which says why the certificate can no
 * longer be renewed.
 */
export async function requireOrder(open: StepRequest, step: PurchaseStep): Promise<OpenOrder> {
  const { request, user, wizard } = open;
  const read = () => loadDraft(WIZARDS[wizard], user.id, draftIdOf(request));
  const draft = await read();
  if (!draft) await leadToDraft(request, user, wizard);
  if (!draft && wizard === "renew") {
    const ended = await whyRenewalEnded(user, draftIdOf(request));
    if (ended) throw await redirectWithToast(request, paths.certificates, { kind: "warn", text: ended });
  }
  if (!draft) throw await toStart(request, step, (isNew) => startOf(open, isNew));
  const done = async (orderId: number) => {
    const other = await findOrderedByOther(user, orderId);
    if (!other) return redirect(paths.certificateWizard(wizard, "order-complete", draft.id));
    return redirectWithToast(request, paths.certificateDetails(other.certificateId), { kind: "ok", text: other.text });
  };
  if (draft.orderId !== null) throw await done(draft.orderId);
  const order = await findOpenOrder(user, draft);
  if (!order) throw redirect(paths.certificates);
  if (order.barrier) {
    const orderId = (await read())?.orderId;
    if (orderId) throw await done(orderId); // the button was pressed twice: the pending renewal is that of this draft
    throw await redirectWithToast(request, paths.certificates, { kind: "warn", text: order.barrier });
  }
  if (hasStateFor(step, draft.data, order.original)) return order;
  if (step === "invoice-address") log().warn({ userId: user.id }, "incomplete data at the invoice step"); // PUR-01
  throw redirect(paths.certificateWizard(wizard, "contact-details", draft.id));
}
