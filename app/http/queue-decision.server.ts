import { json } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { queueValidator } from "~/domain/certificates/validators";
import { approveOrderOnce } from "~/domain/certificates/issuing/issuance.service.server";
import { endIssuing } from "~/domain/certificates/issuing/issuing-undone.server";
import { type OrderEnd } from "~/domain/certificates/queue/order-end.server";
import { cancelOrder, recordCheck, rejectOrder } from "~/domain/certificates/queue/decisions.service.server";
import { checkPlace, QUEUE_FORM } from "~/domain/certificates/queue/queue-fields";
import { type CheckForm, type QueueForm } from "~/domain/certificates/queue/queue.schema";
import { demandDecision } from "~/domain/certificates/queue/queue.service.server";
import { colonHex } from "~/lib/hex";
import { paths } from "~/lib/paths";
import { redirectWithToast } from "./flash.server";
import { invalid, refused, typedAgain } from "./responses.server";

const CHECKS: readonly string[] = ["contact", "organisation", "csr"] satisfies CheckForm["intent"][];
const isCheck = (form: QueueForm): form is CheckForm => CHECKS.includes(form.intent);
type Decision = Exclude<QueueForm, CheckForm>;

/** Carries out a confirmed decision. Returns what happened, in words. */
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

/** Records a check, or asks before a decision and carries it out once it is confirmed. */
export async function submitDecision(
  request: Request,
  { id, submitted, user }: { id: number; submitted: FormData; user: SessionUser },
): Promise<Response> {
  const form = await queueValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  const decision = form.data;
  try {
    if (isCheck(decision)) {
      const next = checkPlace(await recordCheck(id, decision, user));
      return await redirectWithToast(request, `${paths.certificateQueueOrder(id)}#${next}`, {
        kind: "ok",
        text: "The check has been recorded.",
      });
    }
    if (submitted.has("back")) return typedAgain(form.submittedData, QUEUE_FORM);
    if (submitted.get("confirmed") === "yes")
      return await redirectWithToast(request, paths.certificateQueue, {
        kind: "ok",
        text: await decide(id, decision, user),
      });
    await demandDecision(id, decision.intent, user);
    return json({ asked: { ...decision } });
  } catch (error) {
    return refused(error, form.submittedData, QUEUE_FORM);
  }
}
