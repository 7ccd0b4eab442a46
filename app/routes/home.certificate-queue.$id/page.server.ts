import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { PAYMENT } from "~/components/certificates/check-cards";
import { ALLOW_MESSAGES } from "~/components/mail/contact-stop-note";
import { type SessionUser } from "~/domain/accounts/session-user";
import { approveOrderOnce } from "~/domain/certificates/issuing/issuance.service.server";
import { endIssuing } from "~/domain/certificates/issuing/issuing-undone.server";
import { CHECK_TITLES } from "~/domain/certificates/queue/checks.policy";
import { cancelOrder, recordCheck, rejectOrder } from "~/domain/certificates/queue/decisions.service.server";
import { isWaitingForGrant } from "~/domain/certificates/queue/order-decision.policy";
import { type OrderEnd } from "~/domain/certificates/queue/order-end.server";
import { checkAnchor, QUEUE_FORM } from "~/domain/certificates/queue/queue-fields";
import { type CheckForm, type QueueForm } from "~/domain/certificates/queue/queue.schema";
import {
  requireDecision,
  getOrderContact,
  getQueueOrder,
  getSalesOrderId,
} from "~/domain/certificates/queue/queue.service.server";
import { queueValidator } from "~/domain/certificates/validators";
import { orderNumber } from "~/domain/orders/order-number";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { colonHex } from "~/lib/hex";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { allowMessages, saveSalesOrder } from "../home.sale-orders_.details/sales-order-form.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-queue");
  return json({ order: await getQueueOrder(readId(params.id), user) });
}

const CHECKS: readonly string[] = ["contact", "organisation", "csr"] satisfies CheckForm["intent"][];
const isCheck = (form: QueueForm): form is CheckForm => CHECKS.includes(form.intent);
type Decision = Exclude<QueueForm, CheckForm>;

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "see-queue");
  const id = readId(params.id);
  const submitted = await readForm(request);
  if (submitted.get("intent") === PAYMENT) {
    const sale = { id: await getSalesOrderId(id), submitted, user };
    return saveSalesOrder(request, { ...sale, to: paths.certificateQueueOrder(id) });
  }
  if (submitted.get("intent") === ALLOW_MESSAGES) {
    const contact = { ...(await getOrderContact(id)), actor: user.actor };
    return allowMessages(request, { ...contact, to: paths.certificateQueueOrder(id) });
  }
  const form = await queueValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  const decision = form.data;
  if (decision.intent === "approve")
    await requireFormStepUp(request, user, { fields: submitted, formId: QUEUE_FORM }, async () =>
      FORM_TASKS.approve(orderNumber(await getSalesOrderId(id))),
    );
  try {
    if (isCheck(decision)) {
      const at = checkAnchor(await recordCheck(id, decision, user));
      const text = `The check “${CHECK_TITLES[decision.intent]}” has been recorded.`;
      return await redirectWithToast(request, paths.certificateQueueOrder(id), { kind: "ok", text, at });
    }
    if (submitted.has("back")) return typedAgain(form.submittedData, QUEUE_FORM);
    if (submitted.get("confirmed") === "yes")
      return await redirectWithToast(request, paths.certificateQueue, {
        kind: "ok",
        text: await decide(id, decision, user),
      });
    await requireDecision(id, decision.intent, user);
    return json({ asked: { ...decision } });
  } catch (error) {
    if (isWaitingForGrant(error)) return redirect(staffPaths.confirmToSigner, 303);
    return refused(error, form.submittedData, QUEUE_FORM);
  }
}

/** Carries out a confirmed decision. Returns a message about the result. */
async function decide(id: number, decision: Decision, user: SessionUser): Promise<string> {
  switch (decision.intent) {
    case "approve": {
      const { commonName, serialNumber } = await approveOrderOnce(id, user);
      return `The certificate for ${commonName} has been issued with serial number ${colonHex(serialNumber ?? "")}.`;
    }
    case "reject":
      return ended("The order has been rejected.", await rejectOrder(id, decision.decisionReason, user));
    case "cancel":
      return ended("The order has been cancelled.", await cancelOrder(id, decision.decisionReason, user));
    case "undo":
      await endIssuing(id, user.actor);
      return "The approval has been undone: the order is pending again.";
  }
}

const ended = (outcome: string, { refund }: OrderEnd) => (refund === null ? outcome : `${outcome} ${refund}`);
