import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { ALLOW_MESSAGES } from "~/components/mail/contact-stop-note";
import { may } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { approveOrderOnce } from "~/domain/certificates/issuing/issuance.service.server";
import { endIssuing } from "~/domain/certificates/issuing/issuing-undone.server";
import { CHECK_TITLES } from "~/domain/certificates/queue/checks.policy";
import { cancelOrder, recordChecks, rejectOrder } from "~/domain/certificates/queue/decisions.service.server";
import { isWaitingForGrant } from "~/domain/certificates/queue/order-decision.policy";
import { type OrderEnd } from "~/domain/certificates/queue/order-end.server";
import { type OrderFact } from "~/domain/certificates/queue/order-findings.server";
import {
  DECISION_ANCHOR,
  MESSAGE_ANCHOR,
  PAYMENT,
  QUEUE_FORM,
  STAFF_CHECKS,
  type StaffCheck,
} from "~/domain/certificates/queue/queue-fields";
import { approveReady, queueList, type QueueListParams } from "~/domain/certificates/queue/queue-list";
import { findNextInQueue, findQueuePlace, orderInView } from "~/domain/certificates/queue/queue-list.service.server";
import { checkNotesOf, type QueueForm } from "~/domain/certificates/queue/queue.schema";
import {
  getOrderContact,
  getQueueOrder,
  getSalesOrderId,
  listOpenChecks,
  requireDecision,
} from "~/domain/certificates/queue/queue.service.server";
import { queueValidator } from "~/domain/certificates/validators";
import { orderNumber } from "~/domain/orders/order-number";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { fourEyes } from "~/lib/four-eyes.server";
import { colonHex } from "~/lib/hex";
import { readId } from "~/lib/ids";
import { staffPaths } from "~/lib/staff-paths";
import { allowMessages, saveSalesOrder } from "../home.sale-orders_.details/sales-order-form.server";
import { QUEUE_QUESTIONS } from "./questions";
import { WORK } from "./work.server";

const viewOf = (request: Request) => queueList.read(new URL(request.url).searchParams);

/** The way to the form that adds evidence, among what the portal found. */
const evidenceFact = (id: number, view: QueueListParams): OrderFact => ({
  title: "Evidence",
  text: "What a register or a directory says is kept below its check.",
  isLook: false,
  link: { to: queueList.addTo(staffPaths.orderEvidence(id), view), label: "Add evidence" },
});

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-queue");
  const [id, view] = [readId(params.id), viewOf(request)];
  const order = await getQueueOrder(id, user);
  const facts = order.isCheckable ? [...order.facts, evidenceFact(id, view)] : order.facts;
  const place = await findQueuePlace(id, view, user);
  const ready = may(user, "approve-orders") && order.outcome === null ? approveReady(view) : null;
  return json({ order: { ...order, facts }, place: { ...place, ready } });
}

const NOT_CHECKED = "Not checked yet. Choose how it was checked, or record the other checks alone.";

const SEPARATE = "Record the checks or approve the order: the same person does not do both (four-eyes principle).";

/**
 * Returns what keeps the form from recording checks and approving the order at once, by field: checks that are open and not chosen, or the
 * four-eyes principle. Returns null for every other form.
 */
async function whyNotBoth(id: number, form: QueueForm, submitted: FormData): Promise<Record<string, string> | null> {
  if (form.intent !== "approve") return null;
  const notes = checkNotesOf(form);
  const [chosen] = STAFF_CHECKS.filter((check) => notes[check] !== undefined);
  if (chosen && fourEyes() === "strict") return { [chosen]: SEPARATE };
  const open = (await listOpenChecks(id)).filter((check) => submitted.has(check) && notes[check] === undefined);
  return open.length === 0 ? null : Object.fromEntries(open.map((check) => [check, NOT_CHECKED]));
}

/** Records the checks that the form has chosen. Returns which ones. */
async function record(id: number, form: QueueForm, user: SessionUser): Promise<StaffCheck[]> {
  const notes = checkNotesOf(form);
  const chosen = STAFF_CHECKS.filter((check) => notes[check] !== undefined);
  if (chosen.length > 0) await recordChecks(id, notes, user, { ...form, typed: form });
  return chosen;
}

function recordedText(checks: readonly StaffCheck[]): string {
  const titles = checks.map((check) => `“${CHECK_TITLES[check]}”`);
  const last = titles.at(-1) ?? "";
  if (titles.length === 1) return `The check ${last} has been recorded.`;
  return `The checks ${titles.slice(0, -1).join(", ")} and ${last} have been recorded.`;
}

/** Opens the next order of the view with a message about this one, or the queue after the last one. */
async function goOn(request: Request, id: number, text: string, user: SessionUser): Promise<Response> {
  const { to, isLast } = await findNextInQueue(id, viewOf(request), user);
  if (isLast)
    return redirectWithToast(request, to, { kind: "ok", text: `${text} It was the last order of this view.` });
  return redirectWithToast(request, to, { kind: "ok", text, at: MESSAGE_ANCHOR });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "see-queue");
  const id = readId(params.id);
  const here = orderInView(id, viewOf(request));
  const submitted = await readForm(request);
  if (submitted.get("intent") === PAYMENT) {
    const sale = { id: await getSalesOrderId(id), submitted, user };
    return saveSalesOrder(request, { ...sale, to: here });
  }
  if (submitted.get("intent") === ALLOW_MESSAGES) {
    const contact = { ...(await getOrderContact(id)), actor: user.actor };
    return allowMessages(request, { ...contact, to: here });
  }
  const work = WORK.get(submitted.get("intent"));
  if (work) return work(request, { id, submitted, user, to: here });
  const validated = await queueValidator.validate(submitted);
  if (validated.error) return invalid(validated.error, validated.submittedData);
  const form = validated.data;
  if (form.intent === "approve")
    await requireFormStepUp(request, user, { fields: submitted, formId: QUEUE_FORM }, async () =>
      FORM_TASKS.approve(orderNumber(await getSalesOrderId(id)), Object.keys(checkNotesOf(form)).length > 0),
    );
  try {
    if (form.intent === "record" || form.intent === "next") {
      const text = recordedText(await record(id, form, user));
      return form.intent === "next"
        ? await goOn(request, id, `${orderNumber(await getSalesOrderId(id))}: ${text}`, user)
        : await redirectWithToast(request, here, { kind: "ok", text, at: DECISION_ANCHOR });
    }
    if (submitted.has("back")) return typedAgain(validated.submittedData, QUEUE_FORM);
    if (submitted.get("confirmed") === "yes") return await decide(request, id, form, user);
    const fieldErrors = await whyNotBoth(id, form, submitted);
    if (fieldErrors) return invalid({ fieldErrors, formId: QUEUE_FORM }, validated.submittedData);
    if (form.intent === "approve") await record(id, form, user);
    await requireDecision(id, form.intent, user);
    // The checks are recorded by now: only the approval is asked about.
    const asked = form.intent === "approve" ? { intent: form.intent, decisionReason: form.decisionReason } : form;
    return json({ asked: { ...asked }, about: QUEUE_QUESTIONS[form.intent] });
  } catch (error) {
    if (isWaitingForGrant(error)) return redirect(staffPaths.confirmToSigner, 303);
    return refused(error, validated.submittedData, QUEUE_FORM);
  }
}

type Decision = Exclude<QueueForm, { intent: "record" | "next" }>;

/** Carries out a confirmed decision, and opens the next order with a message about the result. */
async function decide(request: Request, id: number, decision: Decision, user: SessionUser): Promise<Response> {
  switch (decision.intent) {
    case "approve": {
      const { commonName, serialNumber } = await approveOrderOnce(id, user);
      const number = colonHex(serialNumber ?? "");
      return goOn(request, id, `The certificate for ${commonName} has been issued with serial number ${number}.`, user);
    }
    case "reject": {
      const end = await rejectOrder(id, decision.decisionReason, user);
      return goOn(request, id, await endedText(id, "rejected", end), user);
    }
    case "cancel": {
      const end = await cancelOrder(id, decision.decisionReason, user);
      return goOn(request, id, await endedText(id, "cancelled", end), user);
    }
    case "undo": {
      await endIssuing(id, user.actor);
      const text = "The approval has been undone: the order is pending again.";
      const here = orderInView(id, viewOf(request));
      return redirectWithToast(request, here, { kind: "ok", text, at: DECISION_ANCHOR });
    }
  }
}

/** Returns the message about an ended order. It names the order, because it stands on the page of the next one. */
const endedText = async (id: number, outcome: string, { refund }: OrderEnd): Promise<string> =>
  [`Order ${orderNumber(await getSalesOrderId(id))} has been ${outcome}.`, refund].filter(Boolean).join(" ");
