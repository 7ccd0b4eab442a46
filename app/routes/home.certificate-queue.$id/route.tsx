import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CheckCards, DecisionCard, PAYMENT, QUEUE_LABELS, typedNotes } from "~/components/certificates/check-cards";
import { ContactCards, CustomerCard, RequestCard, SaleCard } from "~/components/certificates/queue-cards";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { type AskedAboutOrder, OrderQuestion } from "~/components/orders/order-question";
import { SalesOrderCard } from "~/components/orders/sales-order-form";
import { pageTitle } from "~/components/shell/page-title";
import { SubmitButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { ISSUING_HELP } from "~/domain/certificates/queue/order-decision.policy";
import { QUEUE_FORM } from "~/domain/certificates/queue/queue-fields";
import { queueValidator } from "~/domain/certificates/validators";
import { SALES_ORDER_FORM, SALES_ORDER_LABELS } from "~/domain/orders/sales-order-fields";
import { paths } from "~/lib/paths";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

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

/** The button that undoes an issuing that does not end. */
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
