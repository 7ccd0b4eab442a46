import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { SubmitButton } from "~/components/ui/buttons";
import { CheckCards, checkPlace, DecisionCard, QUEUE_LABELS, typedNotes } from "~/components/certificates/check-cards";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { ContactCards, CustomerCard, RequestCard, SaleCard } from "~/components/certificates/queue-cards";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { ALLOW_MESSAGES } from "~/components/mail/contact-stop-note";
import { Note } from "~/components/ui/note";
import { type AskedAboutOrder, OrderQuestion } from "~/components/orders/order-question";
import { SalesOrderCard } from "~/components/orders/sales-order-form";
import { PageHeader } from "~/components/ui/page-header";
import { pageTitle } from "~/components/shell/page-title";
import { Time } from "~/components/ui/time";
import { type SessionUser } from "~/domain/accounts/session-user";
import { endIssuing } from "~/domain/certificates/issuing/issuing-undone.server";
import { type OrderEnd } from "~/domain/certificates/queue/order-end.server";
import { ISSUING_HELP } from "~/domain/certificates/queue/order-decision.policy";
import { approveOrderOnce } from "~/domain/certificates/issuing/issuance.service.server";
import { cancelOrder, recordCheck, rejectOrder } from "~/domain/certificates/queue/decisions.service.server";
import { queueValidator } from "~/domain/certificates/validators";
import { type CheckForm, type QueueForm } from "~/domain/certificates/queue/queue.schema";
import {
  demandDecision,
  getOrderContact,
  getQueueOrder,
  getSalesOrderId,
} from "~/domain/certificates/queue/queue.service.server";
import { SALES_ORDER_FORM, SALES_ORDER_LABELS } from "~/domain/orders/sales-order-fields";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { colonHex } from "~/lib/hex";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";
import { allowMessages, saveSalesOrder } from "./home.sale-orders_.details/sales-order-form.server";

const QUEUE_FORM = "queue-order";
const PAYMENT = "payment";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Admin");
  return json({ order: await getQueueOrder(readId(params.id), user) });
}

const CHECKS: readonly string[] = ["contact", "organisation", "csr"] satisfies CheckForm["intent"][];
const isCheck = (form: QueueForm): form is CheckForm => CHECKS.includes(form.intent);
type Decision = Exclude<QueueForm, CheckForm>;

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "Admin");
  const id = readId(params.id);
  const submitted = await readForm(request);
  if (submitted.get("intent") === PAYMENT) {
    const sale = { id: await getSalesOrderId(id), submitted, actor: user.actor };
    return saveSalesOrder(request, { ...sale, to: paths.certificateQueueOrder(id) });
  }
  if (submitted.get("intent") === ALLOW_MESSAGES) {
    const contact = { ...(await getOrderContact(id)), actor: user.actor };
    return allowMessages(request, { ...contact, to: paths.certificateQueueOrder(id) });
  }
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

/** Carries out a confirmed decision. Out: what happened, in words. */
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

const QUESTIONS: Record<string, { title: string; question: string; confirmLabel: string; variant?: "primary" }> = {
  approve: {
    title: "Approve Order",
    question: "Are you sure you wish to approve this order and issue its certificate?",
    confirmLabel: "Approve and Issue",
    variant: "primary",
  },
  reject: {
    title: "Reject Order",
    question: "Are you sure you wish to reject this order? This process cannot be reversed.",
    confirmLabel: "Reject",
  },
  cancel: {
    title: "Cancel Order",
    question: "Are you sure you wish to cancel this order? This process cannot be reversed.",
    confirmLabel: "Cancel Order",
  },
  undo: {
    title: "Undo Approval",
    question: "Are you sure you wish to undo the approval of this order?",
    confirmLabel: "Undo Approval",
  },
};

const NO_QUESTION = { title: "", question: "", confirmLabel: "" };

export default function QueueOrder() {
  const { order } = useLoaderData<typeof loader>();
  const answer = useActionData<AskedAboutOrder>();
  const { outcome, checks, decision, subject } = order;
  const missing = checks.filter((check) => !check.isDone).map((check) => check.missing);
  if (order.ownOrder) missing.unshift(order.ownOrder);
  const asked = answer?.question === undefined ? answer?.asked : undefined;

  return (
    <ConfirmStep
      {...(QUESTIONS[asked?.intent ?? ""] ?? NO_QUESTION)}
      asked={asked}
      cancelLabel="Back"
      details={
        <>
          <p>
            {order.orderNumber}, {subject.commonName}, {subject.organisation}
            {asked?.intent !== "approve" && asked?.decisionReason && `. Reason: ${asked.decisionReason}`}
          </p>
          {(asked?.intent === "reject" || asked?.intent === "cancel") && <Refund text={order.refund} />}
        </>
      }
    >
      <OrderQuestion answer={answer}>
        <div className="stack-l">
          <ErrorSummary formId={QUEUE_FORM} labels={QUEUE_LABELS} />
          <ErrorSummary formId={SALES_ORDER_FORM} order={Object.keys(SALES_ORDER_LABELS)} labels={SALES_ORDER_LABELS} />
          <PageHeader
            title={`Order ${order.orderNumber}`}
            back={{ to: paths.certificateQueue, label: "Back to the queue" }}
          >
            <p>
              {subject.commonName}, requested <Time value={order.requestedAt} withTime />
            </p>
          </PageHeader>
          {outcome && (
            <Note title={outcome}>
              {decision.at && <Time value={decision.at} withTime />} {decision.reason}
              {order.issuing && <Issuing text={order.issuing} />}
            </Note>
          )}
          {(order.status === "Rejected" || order.status === "Cancelled") && <Refund text={order.refund} />}
          <div className="columns">
            <CustomerCard customer={order.customer} />
            <ContactCards {...order} />
            <RequestCard order={order} />
            <SaleCard sale={order.sale} />
            <SalesOrderCard title="Invoice and Payment" form={order.saleForm} intent={PAYMENT} />
          </div>
          <section className="stack" aria-labelledby="checks-heading">
            <h2 id="checks-heading">Checks</h2>
            {outcome === null ? (
              <PortalForm
                id={QUEUE_FORM}
                validator={queueValidator}
                defaultValues={{ ...typedNotes(checks), decisionReason: decision.reason ?? "" }}
                className="stack"
              >
                <CheckCards checks={checks} isOpen={!order.ownOrder} />
                <DecisionCard missing={missing} />
              </PortalForm>
            ) : (
              <CheckCards checks={checks} isOpen={false} />
            )}
          </section>
        </div>
      </OrderQuestion>
    </ConfirmStep>
  );
}

function Refund({ text }: { text: string | null }) {
  return (
    text !== null && (
      <Note tone="warn" title="This order is paid.">
        {text} Record it under Invoice and Payment: choose Cancelled, with a note in the remarks.
      </Note>
    )
  );
}

/** The way out of an issuing that does not come to its end. */
function Issuing({ text }: { text: string }) {
  return (
    <Form method="post">
      <CsrfField />
      <p>
        {text} {ISSUING_HELP}
      </p>
      <SubmitButton intent="undo" variant="danger" small>
        Undo Approval
      </SubmitButton>
    </Form>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => `Order ${data?.order.orderNumber ?? ""}`);
